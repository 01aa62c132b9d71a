// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every team adds atomically, but the last one reads the sum with a plain load in the same kernel.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 8;
  Kokkos::View<double> sum("sum"), mean("mean");
  Kokkos::parallel_for(
      "mean", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::atomic_add(&sum(), 1.0 * team.team_rank());  // EXPECT: global-race
        if (team.league_rank() == league - 1 && team.team_rank() == 0) {
          mean() = sum() / (team_size * league);  // EXPECT: global-race
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mean);
  return host() < 0;
}
// EXPECT-OUTPUT: where\s+no\s+other\s+team\s+comes\s+to\s+the\s+element
