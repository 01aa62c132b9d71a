// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An execution space that is made before Kokkos::initialize or after Kokkos::finalize ends the program with Kokkos' own
/// message where Kokkos has one: since 4.7.
#pragma once

#if __has_include(<impl/Kokkos_CheckUsage.hpp>)
#include <impl/Kokkos_CheckUsage.hpp>
#define TEAMSAN_CHECK_SPACE_CONSTRUCTION(NAME) Kokkos::Impl::check_execution_space_constructor_precondition(NAME)
#else
#define TEAMSAN_CHECK_SPACE_CONSTRUCTION(NAME) static_cast<void>(NAME)
#endif
