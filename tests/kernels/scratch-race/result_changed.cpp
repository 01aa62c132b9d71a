// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One thread scales the result of a reduction in scratch while others may still be storing it.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Sum = Kokkos::View<double, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 4;
  Kokkos::View<double*> out("out", league);
  auto policy = Policy(league, 64).set_scratch_size(0, Kokkos::PerTeam(Sum::shmem_size()));
  Kokkos::parallel_for(
      "mean", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Sum sum(team.team_scratch(0));
        Kokkos::parallel_reduce(  // EXPECT: scratch-race
            Kokkos::TeamThreadRange(team, 100), [=](int i, double& s) { s += i; }, sum());
        Kokkos::single(Kokkos::PerTeam(team), [&]() { sum() /= 100; });  // EXPECT: scratch-race
        team.team_barrier();
        if (team.team_rank() == 0) out(team.league_rank()) = sum();
      });
  Kokkos::fence();
}
