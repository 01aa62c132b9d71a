// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The kernel runs twice. In its second launch iterations add to a struct of 24 bytes by Kokkos' atomics, which take a lock for
// it. The plain store is in a kernel behind.
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
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 3000;
  Kokkos::View<double*> positions("positions", n);
  Kokkos::View<Sums*> sums("sums", 2);
  for (bool const last : {false, true}) Kokkos::parallel_for("move", n, Move{positions, sums, last});
  Kokkos::parallel_for("clear", 1, KOKKOS_LAMBDA(int) { sums(1).y = 0; });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return host(0).mass + host(1).mass == n ? 0 : 1;
}
