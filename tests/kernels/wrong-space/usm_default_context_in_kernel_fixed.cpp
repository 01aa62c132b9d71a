// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The kernel runs in an instance that the context made; Views are fine in all contexts.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  usm::Context const physics = usm::Context::make();
  auto const queue = physics.make_instance();
  float* const x = usm::malloc_shared<float>(n, physics, "x");
  Kokkos::View<float*> const scale("scale", n);
  Kokkos::deep_copy(scale, 2);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy(queue, 0, n), KOKKOS_LAMBDA(int i) { x[i] = scale(i) * i; });
  Kokkos::fence();
  usm::free(x, physics);
}
