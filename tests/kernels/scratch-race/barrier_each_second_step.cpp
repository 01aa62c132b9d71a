// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two buffers take turns, and a barrier stands in every second step alone: a write of one turn of the loop and a read of the
// next one meet.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
template <class T>
using Scratch = Kokkos::View<T, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 32, teams = 2;
  Kokkos::View<double*> out("out", teams * n);
  Policy const policy = Policy(teams, n).set_scratch_size(0, Kokkos::PerTeam(Scratch<double**>::shmem_size(2, n)));
  Kokkos::parallel_for("relax", policy, KOKKOS_LAMBDA(Member const& team) {
    Scratch<double**> buffer(team.team_scratch(0), 2, n);
    int const i = team.team_rank();
    buffer(0, i) = i;
    buffer(1, i) = 0;
    team.team_barrier();
    for (int step = 0; step < 4; ++step) {
      int const from = step % 2;
      buffer(1 - from, i) = buffer(from, (i + 1) % n);  // EXPECT: scratch-race
      if (step % 2 == 1) team.team_barrier();
    }
    out(team.league_rank() * n + i) = buffer(0, i);
  });
  Kokkos::fence();
}
