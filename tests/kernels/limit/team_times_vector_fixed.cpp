// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Team size times vector length fits a block.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, vector_length = 32;
  Kokkos::View<int**> y("y", team_size, vector_length);
  auto const kernel = KOKKOS_LAMBDA(Policy::member_type const& team) {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, vector_length),
                         [&](int j) { y(team.team_rank(), j) = j; });
  };
  Kokkos::parallel_for("fill", Policy(1, team_size, vector_length), kernel);
  Kokkos::fence();
}
