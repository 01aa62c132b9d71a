// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Both parts are written before they are read.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Complex = Kokkos::complex<double>;
using Tile = Kokkos::View<Complex*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 2, width = 32;
  Kokkos::View<double*> out("out", league * width);
  auto policy = Policy(league, width).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(width)));
  Kokkos::parallel_for(
      "parts", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Tile tile(team.team_scratch(0), width);
        int const t = team.team_rank();
        tile(t).real() = t;
        tile(t).imag() = -t;
        team.team_barrier();
        out(team.league_rank() * width + t) = tile((t + 1) % width).imag();
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(0) > 1e300;
}
