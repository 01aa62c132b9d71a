// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Iterations of later blocks count their visits in a struct of 24 bytes by an atomic, under a lock of Kokkos'. That part is set
// by another kernel.
#include <Kokkos_Core.hpp>

struct Visits {
  double count = 0, place = 0, cost = 0;
  KOKKOS_FUNCTION Visits operator+(Visits const& o) const { return {count + o.count, place + o.place, cost + o.cost}; }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 2048, first = 700;
  Kokkos::View<Visits> visits("visits");
  Kokkos::parallel_for(
      "visits", n, KOKKOS_LAMBDA(int i) {
        if (i < first || i % 100 != 0) return;
        Kokkos::atomic_add(&visits(), Visits{1, 1.0 * i, 2});
      });
  Kokkos::parallel_for("set", 1, KOKKOS_LAMBDA(int) { visits().cost = 0.5; });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), visits);
  return host().count == 14 ? 0 : 1;
}
