// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A function fills a row of scratch by an inner range in each of its branches; its caller then reads a neighbour's element.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
template <class T>
using Scratch = Kokkos::View<T, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

using Row = Scratch<double*>;

KOKKOS_FUNCTION void upwind(Member const& team, int n, bool left, Row const& u, Row const& flux) {
  if (left) {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 1, n), [&](int j) { flux(j) = u(j - 1); });
  } else {
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 1, n), [&](int j) { flux(j) = -u(j); });
  }
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 4, n = 60;
  Kokkos::View<double**> moved("moved", rows, n);
  Policy const policy = Policy(rows, 8, 4).set_scratch_size(0, Kokkos::PerTeam(2 * Row::shmem_size(n)));
  Kokkos::parallel_for("move", policy, KOKKOS_LAMBDA(Member const& team) {
    int const r = team.league_rank();
    Row u(team.team_scratch(0), n), flux(team.team_scratch(0), n);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](int j) { u(j) = j + r; });
    team.team_barrier();
    upwind(team, n, r % 2 == 1, u, flux);
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 1, n - 1), [&](int j) {
      moved(r, j) = u(j) - (flux(j + 1) - flux(j));
    });
  });
  Kokkos::fence();
}
