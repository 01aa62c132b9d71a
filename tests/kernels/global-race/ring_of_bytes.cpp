// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams read their neighbour's bytes after a counter with fences, and use their own again: nothing waits until the
// neighbour has read them.
#include <Kokkos_Core.hpp>

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
        Kokkos::parallel_reduce(items, [&](int i, int& partial) {
          partial += bytes(i, next);  // EXPECT: global-race
        }, sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sums(mine) = sum; });
        Kokkos::parallel_for(items, [&](int i) {
          bytes(i, mine) = 0;  // EXPECT: global-race
        });
      });
}
