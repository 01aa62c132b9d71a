// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: deterministic=1
// The first team leaves a pointer to its scratch for one that begins long after it.
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
        if (l == 0) {
          Row row(team.team_scratch(0), team_size);
          row(t) = t;
          team.team_barrier();
          if (t == 0) Kokkos::atomic_store(&kept(), reinterpret_cast<std::uintptr_t>(row.data()));
        } else if (l + 1 == league) {
          auto const* row = reinterpret_cast<int const*>(Kokkos::atomic_load(&kept()));
          if (row != nullptr) y(l, t) = row[t];  // EXPECT: stale-scratch
        }
      });
  Kokkos::fence();
}
