// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel in one context reads an allocation of another.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  usm::Context const physics = usm::Context::make(), images = usm::Context::make();
  auto const queue = physics.make_instance();
  int* const x = usm::malloc_device<int>(n, physics, "x");
  int* const y = usm::malloc_device<int>(n, images, "y");
  usm::fill_bytes(images.make_instance(), y, 0, n);
  Kokkos::fence();
  Kokkos::parallel_for(
      "add", Kokkos::RangePolicy(queue, 0, n), KOKKOS_LAMBDA(int i) {
        x[i] = y[i] + 1;  // EXPECT: wrong-space
      });
  Kokkos::fence();
  usm::free(x, physics);
  usm::free(y, images);
}
