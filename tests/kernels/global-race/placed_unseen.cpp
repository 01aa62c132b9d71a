// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Particles are placed where no other is near (Cabana, createParticles with a least distance): each looks at those that are
// counted, then counts itself, then stores. Those that come at the same time do not see each other, and stay too near.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const tries = 512;
  Kokkos::View<double*> placed("placed", tries);
  Kokkos::View<int> count("count");
  Kokkos::parallel_for("place", tries, KOKKOS_LAMBDA(int i) {
    double const here = i * 37 % 128;
    for (int other = 0; other < count(); ++other)  // EXPECT: global-race
      if (Kokkos::abs(placed(other) - here) < 2) return;  // EXPECT: global-race
    placed(Kokkos::atomic_fetch_add(&count(), 1)) = here;
  });
  Kokkos::fence();
}
