// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tree reduction skips the barrier after its last step, so that the sum is read while thread 0 still adds.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Part = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 128, league = 3;
  Kokkos::View<double*> x("x", team_size * league);
  Kokkos::deep_copy(x, 2.0);
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Part::shmem_size(team_size)));
  Kokkos::parallel_for(
      "normalise", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Part part(team.team_scratch(0), team.team_size());
        int const t = team.team_rank();
        int const i = team.league_rank() * team.team_size() + t;
        part(t) = x(i);
        team.team_barrier();
        for (int stride = team.team_size() / 2; stride > 0; stride /= 2) {
          if (t < stride) {
            part(t) += part(t + stride);  // EXPECT: scratch-race
          }
          if (stride > 1) team.team_barrier();
        }
        x(i) /= part(0);  // EXPECT: scratch-race
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  return host(0) == 0;
}
