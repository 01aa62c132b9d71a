// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A thread writes its own scratch before it reads it.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Local = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16, league = 2, n = 4;
  Kokkos::View<double**> y("y", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(1, Kokkos::PerThread(Local::shmem_size(n)));
  Kokkos::parallel_for(
      "local", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Local local(team.thread_scratch(1), n);
        int const t = team.team_rank();
        for (int k = 0; k < n; ++k) local(k) = k;
        double sum = 0;
        for (int k = 0; k < n; ++k) {
          sum += local(k);
        }
        y(team.league_rank(), t) = sum;
      });
  Kokkos::fence();
}
