// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Teams own one byte each of a word that nobody initialised, and read their neighbour's after a counter with fences: up the
// league, and from the last team to the first. A second counter lets them use their own bytes again.
#include <Kokkos_Core.hpp>

#include <cstdlib>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  using Member = Policy::member_type;
  int const league = 8, n = 16;
  Kokkos::View<unsigned char**, Kokkos::LayoutRight> bytes(Kokkos::view_alloc("bytes", Kokkos::WithoutInitializing), n,
                                                           league);
  Kokkos::View<int> arrived("arrived");
  Kokkos::View<int*> sums("sums", league);
  Kokkos::parallel_for(
      "ring", Policy(league, 4), KOKKOS_LAMBDA(Member const& team) {
        int const mine = team.league_rank(), next = (mine + 1) % league;
        auto const all_arrive = [&](int count) {
          team.team_barrier();
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            Kokkos::memory_fence();
            Kokkos::atomic_inc(&arrived());
            while (Kokkos::atomic_load(&arrived()) < count) {}
            Kokkos::memory_fence();
          });
          team.team_barrier();
        };
        auto const items = Kokkos::TeamThreadRange(team, n);
        Kokkos::parallel_for(items, [&](int i) { bytes(i, mine) = static_cast<unsigned char>(mine + i); });
        all_arrive(league);
        int sum = 0;
        Kokkos::parallel_reduce(items, [&](int i, int& partial) { partial += bytes(i, next); }, sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sums(mine) = sum; });
        all_arrive(2 * league);
        Kokkos::parallel_for(items, [&](int i) { bytes(i, mine) = 0; });
      });
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, sums);
  for (int team = 0; team < league; ++team)
    if (found(team) != n * ((team + 1) % league) + n * (n - 1) / 2) std::abort();
}
