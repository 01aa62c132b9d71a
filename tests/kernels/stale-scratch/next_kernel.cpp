// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel keeps a pointer to its scratch; the next kernel reads through it.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

struct Kept {
  double* row;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16;
  Kokkos::View<Kept> kept("kept");
  Kokkos::View<double*> y("y", team_size);
  auto policy = Policy(1, team_size).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(team_size)));
  Kokkos::parallel_for(
      "keep", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row row(team.team_scratch(0), team_size);
        int const t = team.team_rank();
        row(t) = t;
        Kokkos::single(Kokkos::PerTeam(team), [&] { kept().row = row.data(); });
      });
  Kokkos::parallel_for(
      "use", team_size, KOKKOS_LAMBDA(int t) {
        y(t) = kept().row[t];  // EXPECT: stale-scratch
      });
  Kokkos::fence();
}
