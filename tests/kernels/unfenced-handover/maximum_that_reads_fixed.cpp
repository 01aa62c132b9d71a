// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A team waits for another one's flag by a maximum, which changes nothing, and of which a host makes a load alone, behind a
// fence on either side. The maximum of integers in between is handed on in the same way.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<int*> value("value", 2), seen("seen", 2);
  Kokkos::View<double> flag("flag");
  Kokkos::View<int> next("next");
  Kokkos::parallel_for(
      "signal", Policy(3, 32), KOKKOS_LAMBDA(Policy::member_type const& team) {
        if (team.team_rank() != 0) return;
        if (team.league_rank() == 0) {
          value(0) = 7;
          Kokkos::memory_fence();
          Kokkos::atomic_store(&flag(), 1.);
        } else if (team.league_rank() == 1) {
          while (Kokkos::atomic_fetch_max(&flag(), 0.) == 0.) {
          }
          Kokkos::memory_fence();
          seen(0) = value(0);
          value(1) = 8;
          Kokkos::memory_fence();
          Kokkos::atomic_max(&next(), 2);
        } else {
          while (Kokkos::atomic_min_fetch(&next(), 5) == 0) {
          }
          Kokkos::memory_fence();
          seen(1) = value(1);
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  return host(0) != 7 || host(1) != 8;
}
