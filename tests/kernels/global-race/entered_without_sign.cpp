// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop is come to where its numbers, as ones without a sign, are in order, and goes on by numbers with a sign: its body runs
// once where the limit is negative, for the same cell in each item.
#include <Kokkos_Core.hpp>

#include <cstddef>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const items = 4096;
  std::ptrdiff_t const first = argc - 1, end = first - 5;
  Kokkos::View<int*> marks("marks", items);
  Kokkos::parallel_for("mark", items, KOKKOS_LAMBDA(int i) {
    if (i < 600 || i > 700) return;
    std::ptrdiff_t k = first;
    if (static_cast<std::size_t>(k) < static_cast<std::size_t>(end)) {
      do {
        marks(k) = i;  // EXPECT: global-race
        ++k;
      } while (k < end);
    }
  });
  Kokkos::fence();
}
