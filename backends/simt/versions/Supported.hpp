// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The range of Kokkos versions that this backend was written for. The backend specialises Kokkos' internal templates, which
/// no version promises to keep. Decided here, at compile time, from Kokkos' own version macros; CMake makes the same check at
/// configure time with a longer explanation, and defines TEAMSAN_ANY_KOKKOS where the user wants to go on with another one,
/// after a test that it works (cmake/KokkosSelfTest.cmake). What differs between versions inside the range lies beside this
/// file, one header a difference.
#pragma once

#include <Kokkos_Macros.hpp>

#if (KOKKOS_VERSION < 40500 || KOKKOS_VERSION >= 50300) && !defined(TEAMSAN_ANY_KOKKOS)
#error "TeamSan supports Kokkos 4.5 to 5.2: build it against one of these, or try this one with -DTEAMSAN_ANY_KOKKOS=ON"
#endif
