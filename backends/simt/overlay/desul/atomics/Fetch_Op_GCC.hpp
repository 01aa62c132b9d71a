// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over the header of this name in Kokkos' atomics library. For Clang it adds atomic additions of floating-point
/// numbers and atomic minima, which Clang's instrumentation passes over (LLVM's ThreadSanitizer pass has no callback for
/// them). Read as GCC reads it, these become compare-and-swap loops, which are seen.
#pragma once
#pragma GCC system_header

#include <desul/atomics/Adapt_GCC.hpp>
#include <type_traits>

#pragma push_macro("__clang__")
#undef __clang__
#include_next <desul/atomics/Fetch_Op_GCC.hpp>
#pragma pop_macro("__clang__")

#include <desul/atomics/Load_And_Store_Kokkos4.hpp>
