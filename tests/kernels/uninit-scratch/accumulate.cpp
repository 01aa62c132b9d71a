// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scratch is not zeroed, and nothing here zeroes the partial sums before they are added to.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Sums = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 2, n = 5;
  Kokkos::View<int*> x("x", n);
  Kokkos::View<int**> y("y", league, team_size);
  Kokkos::parallel_for(
      "x", n, KOKKOS_LAMBDA(int k) { x(k) = k; });
  auto policy = Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Sums::shmem_size(team_size)));
  Kokkos::parallel_for(
      "sums", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Sums sums(team.team_scratch(0), team_size);
        int const t = team.team_rank();
        for (int k = 0; k < n; ++k) {
          sums(t) += x(k);  // EXPECT: uninit-scratch
        }
        y(team.league_rank(), t) = sums(t);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(1, 31) < 0;
}
