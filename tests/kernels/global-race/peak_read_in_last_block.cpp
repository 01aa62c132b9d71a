// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Cells behind a margin keep the highest of their values, by an atomic that a host makes of a load and compare-and-swap, and
// the last cell reads what that is so far. In the margin, which is as wide as a block, nobody does either.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096, margin = 256;
  Kokkos::View<double*> height("height", n), peak("peak", 1), relative("relative", n);
  Kokkos::parallel_for(
      "measure", n, KOKKOS_LAMBDA(int i) { height(i) = i % 97; });
  Kokkos::parallel_for(
      "highest", n, KOKKOS_LAMBDA(int i) {
        if (i >= margin) Kokkos::atomic_max(&peak(0), height(i));  // EXPECT: global-race
        if (i == n - 1) relative(i) = height(i) / peak(0);         // EXPECT: global-race
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), peak);
  return host(0) != 96;
}
