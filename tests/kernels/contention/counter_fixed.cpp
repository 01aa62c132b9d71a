// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// counter.cpp as a reduction.
// OPTIONS: check=all,contention:device=h100
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  int total = 0;
  Kokkos::parallel_reduce("count", n, KOKKOS_LAMBDA(int i, int& sum) { sum += i % 3; }, total);
  return total == 4095 ? 0 : 1;
}
