// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team broadcast inside the body of a vector reduction.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 16;
  Kokkos::View<int*> y("y", 8);
  Kokkos::parallel_for(
      "reduction", Policy(1, 8, 4), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int sum = 0;
        Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, n), [&](int j, int& update) {
          int part = j;
          team.team_broadcast(part, 0);  // EXPECT: nesting
          update += part;
        }, sum);
        Kokkos::single(Kokkos::PerThread(team), [&]() { y(team.team_rank()) = sum; });
      });
  Kokkos::fence();
}
