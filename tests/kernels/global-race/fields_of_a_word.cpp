// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One team stores a field of a struct whose fields share a word, another one reads it; the other fields are one team's. What is
// told are the lines of that field, not of its neighbours.
#include <Kokkos_Core.hpp>

struct Cell {
  unsigned char id, level, count, flag;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::View<Cell*> cells("cells", 4);
  Kokkos::View<int*> out("out", 4);
  Kokkos::parallel_for(
      "refine", Policy(2, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Cell& cell = cells(1);
        if (team.league_rank() == 0) {
          cell.id = 7;
          cell.count = 1;  // EXPECT: global-race
        } else {
          out(0) = cell.level;
          out(1) = cell.count;  // EXPECT: global-race
        }
      });
  Kokkos::fence();
}
