// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The program asks first, and takes shared memory where kernels cannot reach the host's.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  usm::Kind const kind = usm::has(usm::Aspect::system_allocations) ? usm::Kind::system : usm::Kind::shared;
  int* const table = usm::malloc<int>(n, kind, {}, "table");
  int* const x = usm::malloc_device<int>(n);
  for (int i = 0; i < n; ++i) table[i] = n - i;
  Kokkos::parallel_for(
      "lookup", n, KOKKOS_LAMBDA(int i) { x[i] = table[i]; });
  Kokkos::fence();
  usm::free(x);
  usm::free(table);
}
