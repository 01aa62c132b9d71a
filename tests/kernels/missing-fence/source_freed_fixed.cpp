// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The instance is fenced before.
#include <Kokkos_Core.hpp>

#include <vector>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5000;
  Kokkos::DefaultExecutionSpace exec;
  Kokkos::View<int*> map("map", n);
  {
    std::vector<int> memory(n);
    Kokkos::View<int*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> staged(memory.data(), n);
    for (int i = 0; i < n; ++i) staged(i) = n - i;
    Kokkos::deep_copy(exec, map, staged);
    exec.fence();
  }
  int sum = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::RangePolicy<>(exec, 0, n), KOKKOS_LAMBDA(int i, int& part) { part += map(i); }, sum);
  return sum != n * (n + 1) / 2;
}
