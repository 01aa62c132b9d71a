// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sweep in place by a macro that makes a kernel of what stands in it, so that all of it is one line: an iteration updates its
// own element, and reads a neighbour's that another one updates. Made atomic, the update would still race with that read.
#include <Kokkos_Core.hpp>

#define FOR_ALL(i, begin, end, body) \
  Kokkos::parallel_for(Kokkos::RangePolicy<>(begin, end), KOKKOS_LAMBDA(int const i) body)

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<float*> way("way", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { way(i) = i == 0 ? 0.0f : 1e9f; });
  // EXPECT-OUTPUT: where\s+they\s+read\s+what\s+others\s+update,\s+let\s+the\s+kernel\s+write\s+a\s+View
  FOR_ALL(i, 1, n, {  // EXPECT: global-race
    float const by_neighbour = way(i - 1) + 1.0f;
    float const before = way(i);
    way(i) = by_neighbour < before ? by_neighbour : before;
  });
  Kokkos::fence();
}
