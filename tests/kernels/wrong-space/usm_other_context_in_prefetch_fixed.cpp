// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each context prefetches its own.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  usm::Context const images = usm::Context::make();
  auto const queue = images.make_instance();
  float* const x = usm::malloc_shared<float>(n, images, "x");
  usm::prefetch(queue, x, n);
  usm::advise(queue, x, n, usm::Advice::read_mostly);
  queue.fence();
  usm::free(x, images);
}
