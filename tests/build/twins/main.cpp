// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <made.hpp>
#if !MADE || COLOUR != 7 || !defined(RELEASE) || !defined(OF_LIST) || OF_SOURCE != 1 || !defined(OF_SHARED) || !PRECOMPILED
#error "something was lost"
#endif
int unit_1();
int unit_2();
int generated();
int parts();
int shared();
int late();
int main() { return unit_1() + unit_2() + generated() + parts() + shared() + late() == 6 ? 0 : 1; }
