// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A tree reduction with sequential addressing; its result is read by the whole team.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Part = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 256, league = 5;
  Kokkos::View<double*> x("x", team_size * league);
  Kokkos::parallel_for(
      "fill", team_size * league, KOKKOS_LAMBDA(int i) { x(i) = i % 4; });
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Part::shmem_size(team_size)));
  Kokkos::parallel_for(
      "reduce", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Part part(team.team_scratch(0), team_size);
        int const t = team.team_rank();
        int const i = team.league_rank() * team_size + t;
        part(t) = x(i);
        for (int stride = team_size / 2; stride > 0; stride /= 2) {
          team.team_barrier();
          if (t < stride) part(t) += part(t + stride);
        }
        team.team_barrier();
        x(i) = part(0);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  for (int i = 0; i < team_size * league; ++i) {
    if (host(i) != 1.5 * team_size) return 1;
  }
}
