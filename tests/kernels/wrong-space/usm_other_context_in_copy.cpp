// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An explicit copy in one context reads an allocation of another.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  usm::Context const physics = usm::Context::make(), images = usm::Context::make();
  auto const queue = images.make_instance();
  int* const x = usm::malloc_device<int>(n, physics, "x");
  int* const y = usm::malloc_device<int>(n, images, "y");
  usm::copy(queue, x, y, n);  // EXPECT: wrong-space
  queue.fence();
  usm::free(x, physics);
  usm::free(y, images);
}
