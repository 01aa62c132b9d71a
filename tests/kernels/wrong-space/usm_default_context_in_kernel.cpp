// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of the default context writes a shared allocation of another one.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  usm::Context const physics = usm::Context::make();
  float* const x = usm::malloc_shared<float>(n, physics, "x");
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) {
        x[i] = 2 * i;  // EXPECT: wrong-space
      });
  Kokkos::fence();
  usm::free(x, physics);
}
