// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' header of this name, without its two assertions that Views are counted where a functor is copied for
/// a launch. Lanes count none: in builds that assert, a kernel in a kernel would end there as a crash, before
/// is_nested_launch() can say what it is.
#pragma once
#pragma GCC system_header

#include <Kokkos_Macros.hpp>
#include <Kokkos_Core_fwd.hpp>
#include <impl/Kokkos_Error.hpp>

#pragma push_macro("KOKKOS_ASSERT")
#undef KOKKOS_ASSERT
#define KOKKOS_ASSERT(...)
#include_next <impl/Kokkos_SharedAlloc.hpp>
#pragma pop_macro("KOKKOS_ASSERT")
