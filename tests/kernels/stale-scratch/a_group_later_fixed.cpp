// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// All teams read scratch that they obtained themselves.
#include <Kokkos_Core.hpp>

#include <cstdint>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 33, team_size = 16;
  Kokkos::View<std::uintptr_t> kept("kept");
  Kokkos::View<int**> y("y", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(team_size)));
  Kokkos::parallel_for(
      "hand over", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const t = team.team_rank(), l = team.league_rank();
        Row row(team.team_scratch(0), team_size);
        row(t) = t;
        team.team_barrier();
        if (t == 0 && l == 0) Kokkos::atomic_store(&kept(), reinterpret_cast<std::uintptr_t>(row.data()));
        y(l, t) = row(t);
      });
  Kokkos::fence();
}
