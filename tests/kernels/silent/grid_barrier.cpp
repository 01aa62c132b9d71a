// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// As many teams as an H100 has multiprocessors wait for one another, twice: all of them must run at a time.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 132, phases = 2;
  Kokkos::View<int> arrived("arrived");
  Kokkos::View<int**> sums("sums", phases + 1, league);
  Kokkos::deep_copy(sums, 1);
  Kokkos::parallel_for(
      "grid", Policy(league, 4), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const mine = team.league_rank();
        for (int phase = 0; phase < phases; ++phase) {
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            sums(phase + 1, mine) = sums(phase, mine) + sums(phase, (mine + 1) % league);
          });
          team.team_barrier();
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            Kokkos::memory_fence();
            Kokkos::atomic_inc(&arrived());
            while (Kokkos::atomic_load(&arrived()) < league * (phase + 1)) {
            }
            Kokkos::memory_fence();
          });
          team.team_barrier();
        }
      });
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  for (int l = 0; l < league; ++l)
    if (found(phases, l) != 1 << phases) return 1;
}
