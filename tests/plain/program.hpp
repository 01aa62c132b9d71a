// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What program.cpp's kernels call in another file.
#pragma once

#include <Kokkos_Core.hpp>

struct Shape {
  KOKKOS_FUNCTION virtual ~Shape() {}
  KOKKOS_FUNCTION virtual double area(double scale) const = 0;
};

/// Reads and writes the values, out of line and in another file.
double in_another_file(double* values, int i);
/// Returns once the flag is set.
int wait_in_another_file(int volatile* flag);
