// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of one byte, of which four lie in a word: each iteration writes and reads its own alone, some do not write. In each
// launch a word's bytes belong to lanes of one block, or of two.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 2000;
  Kokkos::View<char*> x("x", n + 8), y("y", n + 8);
  Kokkos::View<int*> place("place", n);
  Kokkos::parallel_for("number", n, KOKKOS_LAMBDA(int i) { place(i) = i; });
  for (int shift = 0; shift < 6; ++shift)
    Kokkos::parallel_for("every third", n, KOKKOS_LAMBDA(int i) {
      int const at = place(i) + shift;
      if (i % 3 == 0) x(at) = static_cast<char>(i);
      y(at) = x(at);
    });
  auto const h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  for (int i = 0; i < n; i += 3)
    if (h(i + 5) != static_cast<char>(i)) Kokkos::abort("a byte was lost");
}
