// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One buffer on the host feeds two copies in an instance, which is not fenced before it is filled again.
#include <Kokkos_Core.hpp>

#include <vector>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::DefaultExecutionSpace exec;
  Kokkos::View<int**, Kokkos::LayoutRight> rows("rows", 2, n);
  std::vector<int> buffer(n);
  Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> filled(buffer.data(), n);
  for (int row = 0; row < 2; ++row) {
    for (int i = 0; i < n; ++i) buffer[i] = row + i;  // EXPECT: missing-fence
    Kokkos::deep_copy(exec, Kokkos::subview(rows, row, Kokkos::ALL), filled);
  }
  exec.fence();
}
