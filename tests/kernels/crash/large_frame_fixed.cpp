// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The table lies in level 1 scratch.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Table = Kokkos::View<long*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16;
  Kokkos::View<int*> wrong("wrong", team_size);
  Policy policy(1, team_size);
  constexpr int n = 150000 / 8;
  policy.set_scratch_size(1, Kokkos::PerThread(Table::shmem_size(n)));
  Kokkos::parallel_for(
      "table", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Table mine(team.thread_scratch(1), n);
        for (int k = n - 2500; k < n; ++k) mine(k) = team.team_rank();
        team.team_barrier();
        for (int k = n - 2500; k < n; ++k) wrong(team.team_rank()) += mine(k) != team.team_rank();
      });
  int sum = 0;
  Kokkos::parallel_reduce("sum", team_size, KOKKOS_LAMBDA(int i, int& s) { s += wrong(i); }, sum);
  return sum != 0;
}
