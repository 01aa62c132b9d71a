// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// One lane stores it.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 4, n = 100;
  Kokkos::View<int*> sums("sums", league);
  Kokkos::parallel_for(
      "row sums", Policy(league, 32), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int sum = 0;
        Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, n), [&](int i, int& s) { s += i; }, sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sums(team.league_rank()) = sum; });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return host(league - 1) == n * (n - 1) / 2 ? 0 : 1;
}
