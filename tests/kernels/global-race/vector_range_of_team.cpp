// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A ThreadVectorRange right below the team: each thread goes through all of the column and smooths it in place.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const columns = 6, levels = 48;
  Kokkos::View<double**> air("air", columns, levels), weight("weight", columns, levels);
  Kokkos::deep_copy(air, 2);
  Kokkos::deep_copy(weight, 3);
  Kokkos::parallel_for("weigh", Policy(columns, 4, 16), KOKKOS_LAMBDA(Member const& team) {
    int const c = team.league_rank();
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, levels), [&](int k) {
      air(c, k) = air(c, k) * weight(c, k) + 1;  // EXPECT: global-race
    });
  });
  Kokkos::fence();
}
