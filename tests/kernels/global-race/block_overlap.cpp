// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each team writes one element too many: the last of its block is the first of the next team's.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const block = 40, league = 6;
  Kokkos::View<int*> y("y", block * league + 1);
  Kokkos::parallel_for(
      "blocks", Policy(league, 32), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const begin = team.league_rank() * block;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, begin, begin + block + 1), [&](int i) {
          y(i) = team.league_rank();  // EXPECT: global-race
        });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(0) < 0;
}
