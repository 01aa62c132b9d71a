// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A reduction over the vector loop, then team_reduce.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> y("y", 2);
  Kokkos::parallel_for(
      "loop", Policy(2, 8, 4), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int total = 0;
        Kokkos::parallel_reduce(
            Kokkos::ThreadVectorRange(team, 4), [&](int j, int& sum) { sum += j; }, total);
        team.team_reduce(Kokkos::Sum<int>(total));
        Kokkos::single(Kokkos::PerTeam(team), [&] { y(team.league_rank()) = total; });
      });
  Kokkos::fence();
}
