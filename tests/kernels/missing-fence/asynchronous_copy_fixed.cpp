// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The instance is fenced after the asynchronous copy; a deep_copy without instance waits by itself.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 50;
  Kokkos::DefaultExecutionSpace const space;
  Kokkos::View<int*> x("x", n);
  Kokkos::View<int*, Kokkos::SharedHostPinnedSpace> mirror("mirror", n);
  Kokkos::deep_copy(x, 4);
  Kokkos::deep_copy(mirror, x);
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += mirror(i);
  Kokkos::parallel_for(
      "add", n, KOKKOS_LAMBDA(int i) { x(i) += i; });
  Kokkos::deep_copy(space, mirror, x);
  space.fence();
  for (int i = 0; i < n; ++i) sum += mirror(i);
  return sum == 4 * n + 4 * n + 1225 ? 0 : 1;
}
