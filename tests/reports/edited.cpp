// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What edit.cmake edits: four findings, each on a line that ends in "// here".
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

constexpr int teams = 4, threads = 32;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> out("out", teams * threads), sum("sum", 1);
  Kokkos::View<int*> unset(Kokkos::view_alloc("unset", Kokkos::WithoutInitializing), teams * threads);

  Policy policy(teams, threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(2 * Scratch::shmem_size(threads)));
  Kokkos::parallel_for(
      "exchange", policy, KOKKOS_LAMBDA(Member const& team) {
        Scratch tile(team.team_scratch(0), threads);
        int const i = team.team_rank(), next = (i + 1) % threads;
        tile(i) = i;
        int got = tile(next);  // here
        team.team_barrier();
        tile(i) = got;
        got += tile(next);  // here
        out(team.league_rank() * threads + i) = got;
      });

  Kokkos::parallel_for(
      "sum", teams * threads, KOKKOS_LAMBDA(int i) {
        sum(0) += i + 1;  // here
      });

  Kokkos::parallel_for(
      "copy", teams * threads, KOKKOS_LAMBDA(int i) {
        out(i) = unset(i);  // here
      });
}
