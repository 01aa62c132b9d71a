// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: check=all,stale-copy
// The host changes its side once more after the copy, and says nothing of it: sync_device() does nothing.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 300, teams = 10;
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::DualView<double*> rate("rate", n);
  Kokkos::View<double*> out("out", n);
  auto const on_host = rate.view_host();
  for (int i = 0; i < n; ++i) on_host(i) = 1;
  rate.modify_host();
  rate.sync_device();
  on_host(7) = 2;  // EXPECT: stale-copy
  rate.sync_device();
  auto const on_device = rate.view_device();
  Kokkos::parallel_for(
      "use", Policy(teams, 32), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n / teams), [&](int i) {
          int const at = team.league_rank() * (n / teams) + i;
          out(at) = 2 * on_device(at);  // EXPECT: stale-copy
        });
      });
  return 0;
}
