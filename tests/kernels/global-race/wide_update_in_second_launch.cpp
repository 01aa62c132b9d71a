// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernel runs twice. In its second launch iterations add to a struct of 24 bytes by Kokkos' atomics, which take a lock for
// it, and one of them clears a part of it without.
#include <Kokkos_Core.hpp>

struct Sums {
  double mass = 0, x = 0, y = 0;
  KOKKOS_FUNCTION Sums operator+(Sums const& o) const { return {mass + o.mass, x + o.x, y + o.y}; }
};

struct Move {
  Kokkos::View<double*> positions;
  Kokkos::View<Sums*> sums;
  bool last;
  KOKKOS_FUNCTION void operator()(int i) const {
    positions(i) += 0.5;
    if (!last) return;
    Kokkos::atomic_add(&sums(i % 2), Sums{1, positions(i), 1});
    if (i == 130) sums(1).y = 0;  // EXPECT: global-race
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 3000;
  Kokkos::View<double*> positions("positions", n);
  Kokkos::View<Sums*> sums("sums", 2);
  for (bool const last : {false, true}) Kokkos::parallel_for("move", n, Move{positions, sums, last});
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return host(0).mass + host(1).mass == n ? 0 : 1;
}
