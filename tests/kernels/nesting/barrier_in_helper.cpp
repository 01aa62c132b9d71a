// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A vector loop reaches a team barrier through two functions.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

template <class Team>
KOKKOS_INLINE_FUNCTION void wait_for_all(Team const& team) {
  team.team_barrier();  // EXPECT: nesting
}

template <class Team>
KOKKOS_INLINE_FUNCTION void publish(Team const& team) {
  wait_for_all(team);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 8;
  Kokkos::View<int**> y("y", team_size, 4);
  Kokkos::parallel_for(
      "helper", Policy(1, team_size, 4), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_size), [&](int i) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 4), [&](int j) {
            y(i, j) = j;
            publish(team);
          });
        });
      });
  Kokkos::fence();
}
