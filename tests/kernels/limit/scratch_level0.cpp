// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// More level 0 scratch than a team can have on the device.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Table = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, n = 40000;
  Kokkos::View<double*> y("y", team_size);
  int const level = 0;
  auto policy = Policy(1, team_size).set_scratch_size(level, Kokkos::PerTeam(Table::shmem_size(n)));
  auto const kernel = KOKKOS_LAMBDA(Policy::member_type const& team) {
    Table table(team.team_scratch(level), n);
    table(team.team_rank() * 1000) = 1;
    y(team.team_rank()) = table(team.team_rank() * 1000);
  };
  Kokkos::parallel_for("table", policy, kernel);  // EXPECT-ANYWHERE: limit
  Kokkos::fence();
}
