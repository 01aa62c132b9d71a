// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second of two neighbours to draw a number reads what the first one left, and nothing is released before the drawing. In a
// range a sum is no hand-over, whichever way the launch is judged: it is told as the race that it is.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int*> value("value", n), drawn("drawn", n / 2), sum("sum", n / 2);
  Kokkos::parallel_for(
      "pair_up", n, KOKKOS_LAMBDA(int i) {
        int const pair = i % (n / 2), other = (i + n / 2) % n;
        value(i) = i;  // EXPECT: global-race
        if (Kokkos::atomic_fetch_add(&drawn(pair), 1) == 1) sum(pair) = value(i) + value(other);  // EXPECT: global-race
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
  return host(0) < 0;
}
