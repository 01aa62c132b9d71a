// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams draw items from a queue, and the one that draws the first item leaves the barrier out. Which team that is hangs on
// the order of teams: the Rerun line checks them all.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Tile = Kokkos::View<int*, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const items = 64, width = 32;
  Kokkos::View<int> next("next");
  Kokkos::View<int**> out("out", items, width);
  Policy const policy = Policy(items, width).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(width)));
  Kokkos::parallel_for(
      "queue", policy, KOKKOS_LAMBDA(Member const& member) {
        Tile const tile(member.team_scratch(0), width);
        int item = 0;
        Kokkos::single(
            Kokkos::PerTeam(member), [&](int& drawn) { drawn = Kokkos::atomic_fetch_add(&next(), 1); }, item);
        int const rank = member.team_rank();
        tile(rank) = item + rank;
        if (item != 0) member.team_barrier();
        out(item, rank) = tile((rank + 1) % width);  // EXPECT: scratch-race
      });
  Kokkos::fence();
}
