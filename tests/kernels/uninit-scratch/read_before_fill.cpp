// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector lanes read what the others write only in the next loop of the thread: its lanes meet in between, so it is no
// race.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Local = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 2, team_size = 8, n = 4;
  Kokkos::View<double**> y("y", league * team_size, n);
  auto policy = Policy(league, team_size, n).set_scratch_size(0, Kokkos::PerThread(Local::shmem_size(n)));
  Kokkos::parallel_for(
      "ring", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Local local(team.thread_scratch(0), n);
        int const row = team.league_rank() * team_size + team.team_rank();
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int k) {
          y(row, k) = local((k + 1) % n);  // EXPECT: uninit-scratch
        });
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int k) { local(k) = k; });
      });
  Kokkos::fence();
}
