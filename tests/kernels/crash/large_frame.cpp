// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each lane keeps 150,000 bytes of its own: more than the stack of a lane. Told where the function begins or, where Clang has
// it in line in its caller, at its first line that has code.
// EXPECT-OUTPUT: a lane crashed: stack overflow
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 16;
  Kokkos::View<int*> wrong("wrong", team_size);
  Kokkos::parallel_for(
      "table", Policy(1, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {  // EXPECT: crash?
        constexpr int n = 150000 / 8;
        long volatile mine[n];
        for (int k = n - 2500; k < n; ++k) mine[k] = team.team_rank();  // EXPECT: crash?
        team.team_barrier();
        for (int k = n - 2500; k < n; ++k) wrong(team.team_rank()) += mine[k] != team.team_rank();
      });
  int sum = 0;
  Kokkos::parallel_reduce("sum", team_size, KOKKOS_LAMBDA(int i, int& s) { s += wrong(i); }, sum);
  return sum != 0;
}
