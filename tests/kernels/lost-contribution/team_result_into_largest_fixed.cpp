// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The team's maximum is a variable of the lane's own, and one lane compares it with what is there.
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
        int own = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, faces), [&](int f, int& m) { m = speed(cell, f) > m ? speed(cell, f) : m; },
            Kokkos::Max<int>(own));
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          if (own > most) most = own;
        });
      },
      Kokkos::Max<int>(fastest));
  return fastest < 0;
}
