// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane publishes the address of a local variable; another lane reads through it.
#include <Kokkos_Core.hpp>

struct Published {
  int const* value;
};
using Policy = Kokkos::TeamPolicy<>;
using Shared =
    Kokkos::View<Published*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, league = 2;
  Kokkos::View<int**> y("y", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Shared::shmem_size(team_size)));
  Kokkos::parallel_for(
      "publish", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Shared shared(team.team_scratch(0), team_size);
        int const t = team.team_rank();
        int local = 10 * t;
        shared(t).value = &local;
        team.team_barrier();
        int const other = *shared(t ^ 1).value;  // EXPECT: wrong-space
        team.team_barrier();
        y(team.league_rank(), t) = local + other;
      });
  Kokkos::fence();
}
