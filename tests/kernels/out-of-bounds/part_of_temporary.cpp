// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NEEDS: the plug-in for GCC
// A function gives back a reference to a part of its argument, a temporary that ends with the statement; the next ones read it.
// EXPECT-OUTPUT: read of a temporary that is gone
// EXPECT-OUTPUT: a\s+temporary\s+ends\s+with\s+its\s+statement
// EXPECT-OUTPUT: let\s+the\s+function\s+return\s+by\s+value
#include <Kokkos_Core.hpp>

struct Box {
  double low[2], high[2];
};
struct Leaf {
  Box box;
  int first;
};

KOKKOS_FUNCTION Box const& box_of(Leaf const& leaf) { return leaf.box; }
KOKKOS_FUNCTION Leaf leaf_at(int i) { return {{{1.0 * i, 2.0 * i}, {3.0 * i, 4.0 * i}}, i}; }

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> width("width", 700);
  Kokkos::parallel_for("widths", 700, KOKKOS_LAMBDA(int i) {
    Box const& box = box_of(leaf_at(i));
    width(i) = 0;
    width(i) += box.high[0] - box.low[0];  // EXPECT: out-of-bounds
  });
  Kokkos::fence();
}
