// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every pair of elements is swapped by two iterations of the loop.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 24;
  Kokkos::View<int**> m("m", n, n);
  using Policy = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
  Kokkos::parallel_for(
      "fill", Policy({0, 0}, {n, n}), KOKKOS_LAMBDA(int i, int j) { m(i, j) = i * n + j; });
  Kokkos::parallel_for(
      "transpose", Policy({0, 0}, {n, n}), KOKKOS_LAMBDA(int i, int j) {
        if (i == j) return;
        int const upper = m(i, j);  // EXPECT: global-race
        m(i, j) = m(j, i);          // EXPECT: global-race
        m(j, i) = upper;            // EXPECT: global-race
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m);
  return host(1, 2) < 0;
}
