// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What went wrong is returned through a View, and all lanes meet.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 5000), failed("failed", 2);
  Kokkos::parallel_for(
      "team", Policy(4, 64), KOKKOS_LAMBDA(Policy::member_type const& team) {
        if (team.league_rank() == 2 && team.team_rank() == 5) failed(0) = 5;
        team.team_barrier();
      });
  int sum = 0;
  Kokkos::parallel_scan(
      "scan", 5000, KOKKOS_LAMBDA(int i, int& upto, bool final) {
        if (i == 3000 && final) failed(1) = i;
        upto += x(i);
      }, sum);
  Kokkos::fence();
}
// EXPECT-NONE
