// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team that comes last leaves its mark.
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<int*> last("last", 1);
  Kokkos::parallel_for(
      "mark", Kokkos::TeamPolicy<>(n, 4), KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const& team) {
        Kokkos::single(Kokkos::PerTeam(team), [&]() { Kokkos::atomic_store(&last(0), team.league_rank()); });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), last);
  std::printf("first %g\n", static_cast<double>(host(0)));
}
