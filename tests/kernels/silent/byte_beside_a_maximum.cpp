// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Members of one word: one is only read, of the other the maximum is taken by an atomic, which is a load alone where it is that
// already. No byte is both.
#include <Kokkos_Core.hpp>

struct Cell {
  short id;
  char kind;
  unsigned char level;
};
using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096, cells = 64;
  Kokkos::View<Cell*> grid("grid", cells);
  Kokkos::View<int*> ids("ids", n);
  auto const work = KOKKOS_LAMBDA(int i, int level) {
    Cell& cell = grid(i % cells);
    ids(i) = cell.id;
    Kokkos::atomic_max(&cell.level, static_cast<unsigned char>(level));
  };
  Kokkos::parallel_for("ascending", n, KOKKOS_LAMBDA(int i) { work(i, i / 16); });
  Kokkos::parallel_for("descending", n, KOKKOS_LAMBDA(int i) { work(i, (n - 1 - i) / 16); });
  Kokkos::parallel_for(
      "teams", Policy(n / 64, 64), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const i = team.league_rank() * 64 + team.team_rank();
        work(i, (n - 1 - i) / 16);
      });
  Kokkos::fence();
}
