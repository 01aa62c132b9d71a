// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams count themselves, with fences, when they have read their neighbour's ints, and use their own again; that the
// neighbour has written them by then, nothing says.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  using Member = Policy::member_type;
  int const league = 8, n = 16;
  Kokkos::View<int**, Kokkos::LayoutRight> numbers(Kokkos::view_alloc("numbers", Kokkos::WithoutInitializing), n, league);
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
        Kokkos::parallel_for(items, [&](int i) {
          numbers(i, mine) = mine + i;  // EXPECT: global-race
        });
        int sum = 0;
        Kokkos::parallel_reduce(items, [&](int i, int& partial) {
          partial += numbers(i, next);  // EXPECT: global-race
        }, sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sums(mine) = sum; });
        all_arrive(league);
        Kokkos::parallel_for(items, [&](int i) { numbers(i, mine) = 0; });
      });
}
