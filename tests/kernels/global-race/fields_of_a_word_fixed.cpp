// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each team has a cell of its own for what both would store.
#include <Kokkos_Core.hpp>

struct Cell {
  unsigned char id, level, count, flag;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  Kokkos::View<Cell*> cells("cells", 4);
  Kokkos::parallel_for(
      "refine", Policy(2, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Cell& cell = cells(1);
        if (team.league_rank() == 0) {
          cell.id = 7;
          cell.count = 1;
        } else {
          cell.flag = 1;
          cells(2).count = 2;
        }
      });
  Kokkos::fence();
}
