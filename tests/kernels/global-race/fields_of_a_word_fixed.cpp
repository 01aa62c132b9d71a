// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The other team reads a cell of its own.
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
          cell.count = 1;
        } else {
          out(0) = cell.level;
          out(1) = cells(2).count;
        }
      });
  Kokkos::fence();
}
