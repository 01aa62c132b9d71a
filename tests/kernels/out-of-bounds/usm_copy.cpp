// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A copy reads more than was allocated, and another what was freed.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 10;
  int* const x = usm::malloc_device<int>(n, {}, "x");
  int host[10 * sizeof(int)] = {};
  usm::copy(host, x, n * sizeof(int));  // EXPECT: out-of-bounds
  usm::free(x);
  usm::copy(x, host, n);  // EXPECT: out-of-bounds
}
