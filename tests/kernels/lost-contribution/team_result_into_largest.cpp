// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team's maximum goes straight into the launch's: what was there, of the teams that the same block ran before, is dropped.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  int const cells = 30, faces = 24;
  Kokkos::View<int**> speed("speed", cells, faces);
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {cells, faces}),
      KOKKOS_LAMBDA(int c, int f) { speed(c, f) = 1000 - 7 * c - f; });
  int fastest = 0;
  Kokkos::parallel_reduce(
      "fastest", Policy(cells, 8, 2),
      KOKKOS_LAMBDA(Policy::member_type const& team, int& most) {
        int const cell = team.league_rank();
        Kokkos::parallel_reduce(  // EXPECT: lost-contribution
            Kokkos::TeamVectorRange(team, faces), [&](int f, int& m) { m = speed(cell, f) > m ? speed(cell, f) : m; },
            Kokkos::Max<int>(most));
      },
      Kokkos::Max<int>(fastest));
  return fastest < 0;
}
