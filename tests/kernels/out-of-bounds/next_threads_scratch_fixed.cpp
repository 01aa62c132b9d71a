// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A thread stays inside its own scratch.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Local = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4;
  Kokkos::View<int*> y("y", 8);
  auto policy = Policy(1, 8).set_scratch_size(0, Kokkos::PerThread(Local::shmem_size(n)));
  Kokkos::parallel_for(
      "local", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Local local(team.thread_scratch(0), n);
        for (int k = 0; k < n; ++k) {
          local(k) = k;
        }
        y(team.team_rank()) = local(n - 1);
      });
  Kokkos::fence();
}
