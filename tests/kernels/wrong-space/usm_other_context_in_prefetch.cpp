// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A prefetch in one context names an allocation of another.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  usm::Context const physics = usm::Context::make(), images = usm::Context::make();
  auto const queue = images.make_instance();
  float* const x = usm::malloc_shared<float>(n, physics, "x");
  usm::prefetch(queue, x, n);                          // EXPECT: wrong-space
  usm::advise(queue, x, n, usm::Advice::read_mostly);  // EXPECT: wrong-space
  queue.fence();
  usm::free(x, physics);
}
