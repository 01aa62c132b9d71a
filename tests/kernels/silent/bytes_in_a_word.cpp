// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// One-byte and two-byte elements that share words, written by different lanes and different teams.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 33, league = 7, n = team_size * league;
  Kokkos::View<char*> bytes(Kokkos::view_alloc("bytes", Kokkos::WithoutInitializing), n);
  Kokkos::View<short*> halves(Kokkos::view_alloc("halves", Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for(
      "fill", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const i = team.league_rank() * team_size + team.team_rank();
        bytes(i) = static_cast<char>(i % 100);
        halves(i) = static_cast<short>(bytes(i) + i);
        bytes(i) += 1;
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), bytes);
  auto host_halves = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), halves);
  return host(n - 1) == (n - 1) % 100 + 1 && host_halves(99) == 198 ? 0 : 1;
}
