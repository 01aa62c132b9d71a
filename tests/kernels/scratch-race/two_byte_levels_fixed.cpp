// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Two threads write the two halves of a 4-byte word, and read each other's half only after a barrier.
#include <Kokkos_Core.hpp>

#include <cstdint>

using Policy = Kokkos::TeamPolicy<>;
using Levels =
    Kokkos::View<std::int16_t*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 64, league = 2;
  Kokkos::View<std::int16_t**> out("out", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Levels::shmem_size(team_size)));
  Kokkos::parallel_for(
      "levels", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Levels levels(team.team_scratch(0), team.team_size());
        int const t = team.team_rank(), l = team.league_rank();
        levels(t) = static_cast<std::int16_t>(t);
        team.team_barrier();
        if (t % 2 == 1) {
          out(l, t) = levels(t - 1);
        }
      });
  Kokkos::fence();
}
