// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Items store to places of their own, and set the entry of a table, which one of them finds by itself, to 0.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const items = 4096, far = 16 * 2995, entries = 8 * 5 + far - 5;
  Kokkos::View<int*> low("low", entries + items), high("high", 16 * items + far + 1);
  auto const host = Kokkos::create_mirror_view(low);
  host(entries + 5) = far;
  Kokkos::deep_copy(low, host);
  int const* const place = low.data() + entries;
  Kokkos::parallel_for("store", items, KOKKOS_LAMBDA(int i) {
    int const at = place[i];
    high(16 * i) = i;
    low(8 * i + at) = 0;
  });
  Kokkos::fence();
}
