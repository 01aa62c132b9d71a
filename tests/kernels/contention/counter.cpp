// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All lanes of all teams add to one counter.
// OPTIONS: check=all,contention:device=h100
// EXPECT-EXIT: 0
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int> sum("sum");
  Kokkos::parallel_for(
      "count", n, KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_add(&sum(), i % 3);  // EXPECT: contention
      });
  int total = 0;
  Kokkos::deep_copy(total, sum);
  return total == 4095 ? 0 : 1;
}
