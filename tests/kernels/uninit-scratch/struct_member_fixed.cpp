// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// All members that are read have been set.
#include <Kokkos_Core.hpp>

struct Cell {
  double density, pressure;
  int material;
};
using Policy = Kokkos::TeamPolicy<>;
using Cells = Kokkos::View<Cell*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, league = 2;
  Kokkos::View<double**> y("y", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Cells::shmem_size(team_size)));
  Kokkos::parallel_for(
      "cells", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Cells cells(team.team_scratch(0), team_size);
        int const t = team.team_rank();
        cells(t).density = 1;
        cells(t).pressure = 2;
        team.team_barrier();
        y(team.league_rank(), t) = cells(team_size - 1 - t).pressure;
      });
  Kokkos::fence();
}
