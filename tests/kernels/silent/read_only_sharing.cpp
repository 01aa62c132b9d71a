// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// All lanes of all teams read the same words, in scratch, in device memory and through a random access View.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Table = Kokkos::View<float[8], Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 64, league = 6;
  Kokkos::View<float*> weights("weights", 8);
  Kokkos::parallel_for(
      "fill", 8, KOKKOS_LAMBDA(int i) { weights(i) = i; });
  Kokkos::View<float const*, Kokkos::MemoryTraits<Kokkos::RandomAccess>> cached = weights;
  Kokkos::View<float**> y("y", league, team_size);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Table::shmem_size()));
  Kokkos::parallel_for(
      "weights", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Table table(team.team_scratch(0));
        if (team.team_rank() < 8) table(team.team_rank()) = weights(team.team_rank());
        team.team_barrier();
        float sum = 0;
        for (int k = 0; k < 8; ++k) sum += table(k) * cached(k);
        y(team.league_rank(), team.team_rank()) = sum;
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(5, 63) == 140 ? 0 : 1;
}
