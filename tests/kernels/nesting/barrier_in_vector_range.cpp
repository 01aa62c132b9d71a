// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team barrier inside a vector loop.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 8, vector_length = 4;
  Kokkos::View<int**> y("y", team_size, vector_length);
  Kokkos::parallel_for(
      "loop", Policy(1, team_size, vector_length), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, vector_length), [&](int j) {
          y(team.team_rank(), j) = j;
          team.team_barrier();  // EXPECT: nesting
        });
      });
  Kokkos::fence();
}
