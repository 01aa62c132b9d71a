// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Team 0 fills a table and passes a flag to team 1, that one to team 2, and so on; the last team reads what the first
// has written, without ever having looked at the first flag. The flags go up and down in league order.
#include <Kokkos_Core.hpp>

#include <atomic>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 12, width = 8;
  Kokkos::View<int*> table("table", width), flags("flags", league), seen("seen", league);
  Kokkos::View<int*> order("order", league);
  for (int direction = 0; direction < 2; ++direction) {
    Kokkos::deep_copy(flags, 0);
    Kokkos::parallel_for(
        "chain", Policy(league, width), KOKKOS_LAMBDA(Policy::member_type const& team) {
          int const rank = team.league_rank();
          int const place = direction == 0 ? rank : league - 1 - rank;
          if (place == 0) {
            table(team.team_rank()) = team.team_rank() + direction;
          } else {
            std::atomic_ref<int> before(flags(place - 1));
            while (before.load(std::memory_order_acquire) == 0) {
            }
          }
          team.team_barrier();
          if (place == league - 1 && team.team_rank() == 0) {
            int sum = 0;
            for (int i = 0; i < width; ++i) sum += table(i);
            seen(direction) = sum;
          }
          if (team.team_rank() == 0) std::atomic_ref<int>(flags(place)).store(1, std::memory_order_release);
        });
  }
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  return host(0) == 28 && host(1) == 36 ? 0 : 1;
}
