// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Teams add to one histogram in device memory with atomics.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 8, bins = 8;
  Kokkos::View<int*> histogram("histogram", bins);
  Kokkos::parallel_for(
      "histogram", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const i = team.league_rank() * team.team_size() + team.team_rank();
        Kokkos::atomic_add(&histogram(i * 7 % bins), 1);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), histogram);
  return host(0) == team_size * league / bins && host(7) == host(0) ? 0 : 1;
}
