// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each thread's own scratch is cleared by a TeamThreadRange: each thread clears but its share of its own.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
template <class T>
using Scratch = Kokkos::View<T, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const sites = 4, terms = 10;
  Kokkos::View<double**> powers("powers", 4 * sites, terms);
  Policy const policy = Policy(sites, 4).set_scratch_size(0, Kokkos::PerThread(Scratch<double*>::shmem_size(terms)));
  Kokkos::parallel_for("basis", policy, KOKKOS_LAMBDA(Member const& team) {
    Scratch<double*> delta(team.thread_scratch(0), terms);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, terms), [&](int j) { delta(j) = 0; });
    team.team_barrier();
    for (int j = 0; j < terms; ++j) {
      delta(j) += j;  // EXPECT: uninit-scratch
      powers(4 * team.league_rank() + team.team_rank(), j) = delta(j);
    }
  });
  Kokkos::fence();
}
