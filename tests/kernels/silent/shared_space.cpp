// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Memory that host and lanes share: both touch it, with a fence between.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<int*, Kokkos::SharedSpace> shared("shared", n);
  Kokkos::View<int*, Kokkos::SharedHostPinnedSpace> pinned("pinned", n);
  for (int i = 0; i < n; ++i) shared(i) = i;
  Kokkos::parallel_for(
      "double", n, KOKKOS_LAMBDA(int i) { pinned(i) = 2 * shared(i); });
  Kokkos::fence();
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += pinned(i);
  for (int i = 0; i < n; ++i) shared(i) = sum;
  int total = 0;
  Kokkos::parallel_reduce(
      "total", n, KOKKOS_LAMBDA(int i, int& update) { update += shared(i); }, total);
  return sum == n * (n - 1) && total == n * sum ? 0 : 1;
}
