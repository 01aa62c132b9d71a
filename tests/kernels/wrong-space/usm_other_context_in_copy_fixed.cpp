// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// From one context to another goes by way of the host.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  usm::Context const physics = usm::Context::make(), images = usm::Context::make();
  auto const from = physics.make_instance(), to = images.make_instance();
  int* const x = usm::malloc_device<int>(n, physics, "x");
  int* const y = usm::malloc_device<int>(n, images, "y");
  int host[n];
  usm::copy(from, x, host, n);
  from.fence();
  usm::copy(to, host, y, n);
  to.fence();
  usm::free(x, physics);
  usm::free(y, images);
}
