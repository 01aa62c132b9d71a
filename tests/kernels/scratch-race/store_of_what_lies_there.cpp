// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Vector lanes read what their neighbours are about to write. Scratch may hold that very value already, left by an
// earlier team: a race all the same.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 16;
  Kokkos::View<double*> y("y", n);
  auto policy = Policy(1, 1, n).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(n)));
  Kokkos::parallel_for(
      "clear", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0), n);
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, n), [&](int k) {
          y(k) = tile((k + 1) % n);  // EXPECT: scratch-race
          tile(k) = 0;               // EXPECT: scratch-race
        });
      });
  Kokkos::fence();
}
