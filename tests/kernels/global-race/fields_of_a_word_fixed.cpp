// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// What the first team stores is read in a kernel behind; beside it the other team reads what nobody stores.
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
        }
      });
  Kokkos::parallel_for("count", 1, KOKKOS_LAMBDA(int) { out(1) = cells(1).count; });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(0) == 0 && host(1) == 1 ? 0 : 1;
}
