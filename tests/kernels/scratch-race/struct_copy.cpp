// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A 16-byte struct is copied out of the tile while its owner may still be writing it.
#include <Kokkos_Core.hpp>

struct Particle {
  float x, y, z, mass;
};
using Policy = Kokkos::TeamPolicy<>;
using Tile = Kokkos::View<Particle*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 2;
  Kokkos::View<Particle*> particles("particles", team_size * league), left("left", team_size * league);
  Kokkos::parallel_for(
      "fill", particles.size(), KOKKOS_LAMBDA(int i) {
        particles(i) = {1.0f * i, 1.0f, 2.0f, 3.0f};
      });
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(team_size)));
  Kokkos::parallel_for(
      "particles", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0), team.team_size());
        int const t = team.team_rank();
        int const i = team.league_rank() * team.team_size() + t;
        tile(t) = particles(i);  // EXPECT: scratch-race
        if (t > 0) {
          left(i) = tile(t - 1);  // EXPECT: scratch-race
        }
      });
  Kokkos::fence();
}
