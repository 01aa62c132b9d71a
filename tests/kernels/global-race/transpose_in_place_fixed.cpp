// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Only the iteration above the diagonal swaps its pair.
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
        if (i >= j) return;
        int const upper = m(i, j);
        m(i, j) = m(j, i);
        m(j, i) = upper;
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), m);
  return host(1, 2) == 2 * n + 1 ? 0 : 1;
}
