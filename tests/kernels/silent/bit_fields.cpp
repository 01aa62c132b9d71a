// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Bit-fields that one lane writes one after the other, into bytes that nothing has written, and others read.
#include <Kokkos_Core.hpp>

struct Packed {
  unsigned kind : 3;
  unsigned index : 20;
  unsigned flag : 1;
  unsigned short small : 5;
  long wide : 40;
};
using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<Packed*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 3, width = 16;
  Kokkos::View<Packed*> all("all", league * width);
  Kokkos::View<long> sum("sum");
  auto policy = Policy(league, width).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(width)));
  Kokkos::parallel_for(
      "packed", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0), width);
        int const t = team.team_rank();
        tile(t).kind = 5;
        tile(t).index = static_cast<unsigned>(t);
        tile(t).flag = 1;
        tile(t).wide = -t;
        tile(t).small = 3;
        team.team_barrier();
        Packed const next = tile((t + 1) % width);
        all(team.league_rank() * width + t) = next;
        all(team.league_rank() * width + t).wide -= 1;
        Kokkos::atomic_add(&sum(), next.kind + next.index + next.flag + next.small + next.wide);
      });
  long total = 0;
  Kokkos::deep_copy(total, sum);
  return total == 9L * league * width ? 0 : 1;
}
