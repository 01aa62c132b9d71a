// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch reserves scratch for the table of all types; the kernel makes its View as long as the team is large, and fills all
// types (miniBUDE's force field). With fewer threads than types the last ones lie past the View.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Table = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const types = 34, threads = 32, league = 4;
  Kokkos::View<double*> parameters("parameters", types), out("out", league * threads);
  auto policy = Policy(league, threads).set_scratch_size(0, Kokkos::PerTeam(Table::shmem_size(types)));
  Kokkos::parallel_for(
      "look up", policy, KOKKOS_LAMBDA(Member const& team) {
        Table table(team.team_scratch(0), team.team_size());
        auto const range = Kokkos::TeamThreadRange(team, types);
        Kokkos::parallel_for(range, [&](int t) { table(t) = parameters(t); });  // EXPECT: out-of-bounds
        team.team_barrier();
        int const i = team.league_rank() * team.team_size() + team.team_rank();
        out(i) = table(i % types);  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
