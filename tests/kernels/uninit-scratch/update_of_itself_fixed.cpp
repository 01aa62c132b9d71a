// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE: the counter is set first.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Counter = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> y("y", 4);
  auto policy = Policy(4, 16).set_scratch_size(0, Kokkos::PerTeam(Counter::shmem_size(1)));
  Kokkos::parallel_for(
      "count", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Counter count(team.team_scratch(0), 1);
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          count(0) = 0;
          y(team.league_rank()) = count(0);
          Kokkos::atomic_inc(&count(0));
        });
      });
  Kokkos::fence();
}
