// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// deep_copy with an instance does not wait; the host reads the pinned memory it fills.
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
  // EXPECT-OUTPUT: an asynchronous copy\s+goes\s+on\s+after\s+the\s+call
  Kokkos::deep_copy(space, mirror, x);
  for (int i = 0; i < n; ++i) sum += mirror(i);  // EXPECT: missing-fence
  return sum == 4 * n + 4 * n + 1225 ? 0 : 1;
}
