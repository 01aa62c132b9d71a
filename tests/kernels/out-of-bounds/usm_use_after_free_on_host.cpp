// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host writes a shared allocation that was freed.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int* const x = usm::malloc_shared<int>(10, {}, "x");
  usm::free(x);
  x[argc] = 1;  // EXPECT: out-of-bounds
}
