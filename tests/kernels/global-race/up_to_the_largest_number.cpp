// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop whose limit is the largest number there is, as one says "none", and which another way out ends: some items mark cells
// that the next ones mark, too.
#include <Kokkos_Core.hpp>

#include <cstdint>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const items = 4096, width = 3;
  std::size_t const last = argc > 1 ? 1 : SIZE_MAX;
  Kokkos::View<int*> marks("marks", width * items);
  Kokkos::parallel_for("mark", items, KOKKOS_LAMBDA(int i) {
    if (i < 600 || i > 700) return;
    for (std::size_t k = 0; k <= last; ++k) {
      if (static_cast<int>(k) == width) break;
      marks(i + k) = i;  // EXPECT: global-race
    }
  });
  Kokkos::fence();
}
