// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The sum is read in a kernel of its own.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 8;
  Kokkos::View<double> sum("sum"), mean("mean");
  Kokkos::parallel_for(
      "mean", Policy(league, team_size),
      KOKKOS_LAMBDA(Policy::member_type const& team) { Kokkos::atomic_add(&sum(), 1.0 * team.team_rank()); });
  Kokkos::parallel_for(
      "divide", 1, KOKKOS_LAMBDA(int) { mean() = sum() / (team_size * league); });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mean);
  return host() == 15.5 ? 0 : 1;
}
