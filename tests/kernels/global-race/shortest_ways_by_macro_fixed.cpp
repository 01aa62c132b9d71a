// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The sweep writes a View that it does not read.
#include <Kokkos_Core.hpp>

#define FOR_ALL(i, begin, end, body) \
  Kokkos::parallel_for(Kokkos::RangePolicy<>(begin, end), KOKKOS_LAMBDA(int const i) body)

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<float*> way("way", n), next("next", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { way(i) = i == 0 ? 0.0f : 1e9f; });
  FOR_ALL(i, 1, n, {
    float const by_neighbour = way(i - 1) + 1.0f;
    float const before = way(i);
    next(i) = by_neighbour < before ? by_neighbour : before;
  });
  Kokkos::fence();
}
