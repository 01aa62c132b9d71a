// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each is freed where it was made.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  usm::Context const physics = usm::Context::make();
  int* const x = usm::malloc_shared<int>(10, physics, "x");
  usm::free(x, physics);
}
