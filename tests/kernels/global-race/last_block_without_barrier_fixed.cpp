// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// One thread of each team fences and counts when all have written.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 10, width = 32;
  Kokkos::View<int**, Kokkos::LayoutRight> part("part", league, width);
  Kokkos::View<int> total("total"), done("done");
  Kokkos::parallel_for(
      "sum", Policy(league, width), KOKKOS_LAMBDA(Policy::member_type const& team) {
        part(team.league_rank(), team.team_rank()) = team.team_rank();
        team.team_barrier();
        int last = 0;
        Kokkos::single(
            Kokkos::PerTeam(team),
            [&](int& is_last) {
              Kokkos::memory_fence();
              is_last = Kokkos::atomic_fetch_add(&done(), 1) == league - 1;
              Kokkos::memory_fence();
            },
            last);
        if (last == 0) return;
        int sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, league * width), [&](int i, int& s) { s += part(i / width, i % width); }, sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { total() = sum; });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), total);
  return host() == league * width * (width - 1) / 2 ? 0 : 1;
}
