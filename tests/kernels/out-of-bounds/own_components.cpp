// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NEEDS: the plug-in
// Threads of a team add up the components of a force of their own, from the first to the one behind the last.
// EXPECT-OUTPUT: \[out-of-bounds\] read outside an array of the lane's own
// EXPECT-OUTPUT: force\[3\]
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  int const particles = 128, components = 3;
  Kokkos::View<double*> strength("strength", particles);
  Kokkos::View<int*> last("last", 1);
  Kokkos::deep_copy(last, components);
  Kokkos::parallel_for(
      "forces", Policy(particles / 8, 8), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 8), [&](int t) {
          int const p = team.league_rank() * 8 + t;
          Kokkos::Array<double, 3> force{p * 1.0, p * 2.0, p * 3.0};
          double sum = 0;
          for (int c = 0; c <= last(0); ++c) sum += force[c];  // EXPECT: out-of-bounds
          strength(p) = sum;
        });
      });
  Kokkos::fence();
}
