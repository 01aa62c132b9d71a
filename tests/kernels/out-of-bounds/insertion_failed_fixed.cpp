// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A map that is too small takes no more keys, nobody asks for failed insertions, and a later find gives no index.
#include <Kokkos_Core.hpp>
#include <Kokkos_UnorderedMap.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1500;
  Kokkos::UnorderedMap<int, int> map(4 * n);
  Kokkos::View<int*> found("found", n);
  Kokkos::parallel_for("insert", 1, KOKKOS_LAMBDA(int) {
    for (int i = 0; i < n; ++i) map.insert(17 * i, i);
  });
  Kokkos::parallel_for("find", n, KOKKOS_LAMBDA(int i) {
    found(i) = map.value_at(map.find(17 * i));
  });
  Kokkos::fence();
}
