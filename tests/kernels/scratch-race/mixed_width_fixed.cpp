// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A barrier separates the 8-byte memset that clears two counters from the 4-byte store.
#include <Kokkos_Core.hpp>

#include <cstring>

using Policy = Kokkos::TeamPolicy<>;
using Counters = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> out("out", 2);
  auto policy = Policy(1, 2).set_scratch_size(0, Kokkos::PerTeam(Counters::shmem_size(2)));
  Kokkos::parallel_for(
      "clear", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Counters counters(team.team_scratch(0), 2);
        if (team.team_rank() == 0) {
          std::memset(counters.data(), 0, 2 * sizeof(int));
        }
        team.team_barrier();
        if (team.team_rank() == 1) {
          counters(1) = 7;
        }
        team.team_barrier();
        out(team.team_rank()) = counters(team.team_rank());
      });
  Kokkos::fence();
}
