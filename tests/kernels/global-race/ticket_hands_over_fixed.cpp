// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was left is released before the number is drawn, and acquired behind it.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int*> value("value", n), drawn("drawn", n / 2), sum("sum", n / 2);
  Kokkos::parallel_for(
      "pair_up", n, KOKKOS_LAMBDA(int i) {
        int const pair = i % (n / 2), other = (i + n / 2) % n;
        value(i) = i;
        Kokkos::memory_fence();
        if (Kokkos::atomic_fetch_add(&drawn(pair), 1) == 1) {
          Kokkos::memory_fence();
          sum(pair) = value(i) + value(other);
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
  return host(0) < 0;
}
