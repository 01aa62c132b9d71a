// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane throws while the others of its team go on to where all are to meet: one cause, and one finding, in a team's kernel
// and in a scan's pass over its chunks.
#include <Kokkos_Core.hpp>

#include <stdexcept>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 5000);
  Kokkos::parallel_for(
      "team", Policy(4, 64), KOKKOS_LAMBDA(Policy::member_type const& team) {
        if (team.league_rank() == 2 && team.team_rank() == 5) throw std::runtime_error("five");  // EXPECT: crash
        team.team_barrier();
      });
  Kokkos::fence();
  int sum = 0;
  Kokkos::parallel_scan(
      "scan", 5000, KOKKOS_LAMBDA(int i, int& upto, bool) {
        if (i == 3000) throw std::runtime_error("far");  // EXPECT: crash
        upto += x(i);
      }, sum);
  Kokkos::fence();
}
