// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Teams update what nobody has initialised by maxima, which a host makes of a load and compare-and-swap: whether a team swaps
/// hangs on who came before it as they run, the first one being late here, and which team is told to have read does not.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  using Member = Policy::member_type;
  constexpr int n = 96, league = 24;
  Kokkos::View<double*> largest(Kokkos::view_alloc("largest", Kokkos::WithoutInitializing), n);
  Kokkos::View<unsigned char*> bytes(Kokkos::view_alloc("bytes", Kokkos::WithoutInitializing), n);
  Kokkos::View<double*> work("work", league);
  Kokkos::parallel_for(
      "maxima", Policy(league, 4), KOKKOS_LAMBDA(Member const& team) {
        int const l = team.league_rank();
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          for (int k = 0; k < (l == 0 ? 20000 : 10); ++k) work(l) += k;
        });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, l % 3, n), [&](int i) {
          Kokkos::atomic_max(&largest(i), 1. + l * i % 7);
          Kokkos::atomic_max(&bytes(i), static_cast<unsigned char>(1 + (l + i) % 5));
        });
      });
}
