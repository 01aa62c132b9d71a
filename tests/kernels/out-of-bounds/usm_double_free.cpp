// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An allocation is freed twice.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int* const x = usm::malloc_shared<int>(10);
  usm::free(x);
  usm::free(x);  // EXPECT: out-of-bounds
}
