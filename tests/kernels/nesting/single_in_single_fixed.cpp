// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// One single(PerTeam), where the work is.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Counts = Kokkos::View<int*>;

KOKKOS_FUNCTION void count_once(Policy::member_type const& team, Counts const& counts) {
  Kokkos::single(Kokkos::PerTeam(team), [&] { counts(team.league_rank()) += 1; });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const teams = 4;
  Counts counts("counts", teams);
  for (char const* name : {"first", "second"})
    Kokkos::parallel_for(
        name, Policy(teams, 32, 2), KOKKOS_LAMBDA(Policy::member_type const& team) { count_once(team, counts); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  return host(teams - 1) == 2 ? 0 : 1;
}
