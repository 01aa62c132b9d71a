// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host fills a table and asks for it on the device, but has not said that it changed it: sync_device() copies nothing.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const teams = 16, threads = 32;
  Kokkos::DualView<double*> table("table", threads);
  Kokkos::View<double*> out("out", teams);
  auto const on_host = table.view_host();
  for (int i = 0; i < threads; ++i) on_host(i) = i + 1;
  table.sync_device();
  auto const on_device = table.view_device();
  Kokkos::parallel_for(
      "sum", Policy(teams, threads), KOKKOS_LAMBDA(Member const& team) {
        double sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, threads), [&](int i, double& part) {
              part += on_device(i);  // EXPECT: stale-copy
            },
            sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { out(team.league_rank()) = sum; });
      });
  Kokkos::fence();
  return 0;
}
