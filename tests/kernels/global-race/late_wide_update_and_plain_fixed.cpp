// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// From the second block on, iterations add to a struct of 24 bytes by Kokkos' atomics, which take a lock for it. The plain
// store is in a kernel behind.
#include <Kokkos_Core.hpp>

struct Tally {
  double hits = 0, weight = 0, square = 0;
  KOKKOS_FUNCTION Tally operator+(Tally const& o) const { return {hits + o.hits, weight + o.weight, square + o.square}; }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096, warm_up = 256, bins = 3;
  Kokkos::View<Tally*> tallies("tallies", bins);
  Kokkos::parallel_for(
      "tally", n, KOKKOS_LAMBDA(int i) {
        if (i < warm_up) return;
        double const weight = i % 7;
        Kokkos::atomic_add(&tallies(i % bins), Tally{1, weight, weight * weight});
      });
  Kokkos::parallel_for("clear", 1, KOKKOS_LAMBDA(int) { tallies(2).weight = 0; });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), tallies);
  return host(0).hits + host(1).hits + host(2).hits == n - warm_up ? 0 : 1;
}
