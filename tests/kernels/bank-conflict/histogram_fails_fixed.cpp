// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// histogram_fails.cpp with neighbouring lanes in different bins.
// OPTIONS: check=bank:device=h100:fail_on="bank-conflict:4"
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Policy::execution_space::scratch_memory_space;
using Bins = Kokkos::View<int*, Scratch, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Policy policy(2, 128);
  policy.set_scratch_size(0, Kokkos::PerTeam(Bins::shmem_size(32)));
  Kokkos::parallel_for(
      "histogram", policy, KOKKOS_LAMBDA(Member const& team) {
        Bins bins(team.team_scratch(0), 32);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 32), [&](int i) { bins(i) = 0; });
        team.team_barrier();
        int const bin = team.team_rank() % 32;
        Kokkos::atomic_add(&bins(bin), 1);
      });
}
