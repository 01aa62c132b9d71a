// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 6, width = 5;
  Kokkos::View<unsigned char*> bytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, "bytes"), league * width);
  Kokkos::parallel_for(
      "write", Policy(league, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const first = team.league_rank() * width;
        for (int i = 0; i < width; ++i) bytes(first + i) = 1;
      });
  int total = 0;
  Kokkos::parallel_reduce(
      "read", league * width, KOKKOS_LAMBDA(int i, int& sum) { sum += bytes(i); }, total);
  return total != league * width;
}
