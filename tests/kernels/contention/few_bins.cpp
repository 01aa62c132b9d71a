// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A histogram of four bins: eight lanes of each warp want the same one.
// OPTIONS: check=all,contention:device=h100
// EXPECT-EXIT: 0
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int league = 16, team_size = 128, bins = 4;
  Kokkos::View<int*> hist("hist", bins);
  Kokkos::parallel_for(
      "histogram", Policy(league, team_size), KOKKOS_LAMBDA(Member const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_size), [&](int i) {
          Kokkos::atomic_inc(&hist(i % bins));  // EXPECT: contention
        });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), hist);
  return host(0) == league * team_size / bins ? 0 : 1;
}
