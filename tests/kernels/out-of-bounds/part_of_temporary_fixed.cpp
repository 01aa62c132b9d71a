// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
#include <Kokkos_Core.hpp>

struct Box {
  double low[2], high[2];
};
struct Leaf {
  Box box;
  int first;
};

KOKKOS_FUNCTION Box box_of(Leaf const& leaf) { return leaf.box; }
KOKKOS_FUNCTION Leaf leaf_at(int i) { return {{{1.0 * i, 2.0 * i}, {3.0 * i, 4.0 * i}}, i}; }

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> width("width", 700);
  Kokkos::parallel_for("widths", 700, KOKKOS_LAMBDA(int i) {
    Box const& box = box_of(leaf_at(i));
    width(i) = 0;
    width(i) += box.high[0] - box.low[0];
  });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), width);
  return host(699) == 2 * 699 ? 0 : 1;
}
