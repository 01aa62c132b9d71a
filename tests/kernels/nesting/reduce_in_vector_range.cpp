// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// team_reduce inside a vector loop.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> y("y", 2);
  Kokkos::parallel_for(
      "loop", Policy(2, 8, 4), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int total = 0;
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 4), [&](int j) {
          int sum = j;
          team.team_reduce(Kokkos::Sum<int>(sum));  // EXPECT: nesting
          total += sum;
        });
        Kokkos::single(Kokkos::PerTeam(team), [&] { y(team.league_rank()) = total; });
      });
  Kokkos::fence();
}
