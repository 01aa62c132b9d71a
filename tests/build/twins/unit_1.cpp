// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
static int const of_unit_1 = 1;
int unit_1() { return of_unit_1; }
