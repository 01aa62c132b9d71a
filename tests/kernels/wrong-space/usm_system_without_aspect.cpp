// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel reads a system allocation; the device (H100 beside a PCIe host) lacks the aspect.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  int* const table = usm::malloc_system<int>(n, {}, "table");
  int* const x = usm::malloc_device<int>(n);
  for (int i = 0; i < n; ++i) table[i] = n - i;
  Kokkos::parallel_for(
      "lookup", n, KOKKOS_LAMBDA(int i) {
        x[i] = table[i];  // EXPECT: wrong-space
      });
  Kokkos::fence();
  usm::free(x);
  usm::free(table);
}
