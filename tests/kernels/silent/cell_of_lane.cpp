// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Vector lanes take a struct each, copied as a whole by the body of a vector range, and go on with what is in it.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

struct Cell {
  int first, column, row, slot, spare[4];
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const words = 32, vector_length = 8;
  Kokkos::View<Cell*> cells("cells", vector_length);
  Kokkos::View<int*> list("list", words);
  Kokkos::View<int> length("length");
  Kokkos::parallel_for("number", vector_length, KOKKOS_LAMBDA(int i) { cells(i).first = i; });
  Kokkos::parallel_for(
      "append", Policy(1, 4, vector_length), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Cell mine = {};
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, vector_length), [&](int i) { mine = cells(i); });
        for (int i = team.team_rank() * vector_length + mine.first; i < words; i += 4 * vector_length)
          list(Kokkos::atomic_fetch_add(&length(), 1)) = i;
      });
  int found = 0;
  Kokkos::deep_copy(found, length);
  return found == words ? 0 : 1;
}
