// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A library of the project that uses Kokkos: it is built a second time for checking, with the program.
#pragma once

#include <Kokkos_Core.hpp>

/// The sum of `field`, one team for each 128 cells.
double total(Kokkos::View<double*> field);
