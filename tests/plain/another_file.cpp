// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program.hpp"

double in_another_file(double* values, int i) {
  values[i] += 0.5;
  return values[i] * 2;
}

int wait_in_another_file(int volatile* flag) {
  while (*flag == 0) {
  }
  return 1;
}
