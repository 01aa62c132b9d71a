// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The last team is not full, and its threads without work return before the barrier.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
template <class T>
using Scratch = Kokkos::View<T, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 32, cells = 80;
  Kokkos::View<double*> in("in", cells), out("out", cells);
  Kokkos::deep_copy(in, 1);
  Policy const policy = Policy(3, n).set_scratch_size(0, Kokkos::PerTeam(Scratch<double*>::shmem_size(n)));
  Kokkos::parallel_for("reverse", policy, KOKKOS_LAMBDA(Member const& team) {
    Scratch<double*> tile(team.team_scratch(0), n);
    int const i = team.league_rank() * n + team.team_rank();
    if (i < cells) tile(team.team_rank()) = in(i);
    team.team_barrier();
    if (i < cells) out(i) = tile(team.team_rank());
  });
  Kokkos::fence();
}
