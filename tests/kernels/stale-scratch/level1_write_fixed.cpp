// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The second kernel writes scratch of its own.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

struct Kept {
  int* row;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 8;
  Kokkos::View<Kept> kept("kept");
  auto policy = Policy(1, team_size).set_scratch_size(1, Kokkos::PerTeam(Row::shmem_size(team_size)));
  Kokkos::parallel_for(
      "keep", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(1), team_size);
        Kokkos::single(Kokkos::PerTeam(team), [&] { kept().row = row.data(); });
      });
  Kokkos::parallel_for(
      "write", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        int* row = Row(team.team_scratch(1), team_size).data();
        row[team.team_rank()] = 1;
      });
  Kokkos::fence();
}
