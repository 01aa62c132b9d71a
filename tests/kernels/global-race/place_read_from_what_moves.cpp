// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Items look up where they store. The place that item 5 finds is item 3,000's of one array, and in the other one the very entry
// that says so, which it sets to 0: once item 5 is done, nothing tells of it.
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
    high(16 * i + at) = i;  // EXPECT: global-race
    low(8 * i + at) = 0;
  });
  Kokkos::fence();
}
