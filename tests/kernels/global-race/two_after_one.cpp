// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two teams wait for a third, which has written; that they do not write both at once, nothing says.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 3;
  Kokkos::View<int> data("data"), ready("ready"), again("again");
  Kokkos::parallel_for(
      "share", Policy(league, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        auto const wait = [&](Kokkos::View<int> const& flag) {
          while (Kokkos::atomic_load(&flag()) == 0) {
          }
          Kokkos::memory_fence();
        };
        auto const tell = [&](Kokkos::View<int> const& flag) {
          Kokkos::memory_fence();
          Kokkos::atomic_store(&flag(), 1);
        };
        if (team.league_rank() == 0) {
          data() = 1;
          tell(ready);
        } else if (team.league_rank() == 1) {
          wait(ready);
          data() += 1;  // EXPECT: global-race
          tell(again);
        } else {
          wait(ready);
          data() += 1;  // EXPECT: global-race
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), data);
  return host() < 2;
}
