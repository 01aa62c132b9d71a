// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The integration points of an element count those of them that have failed, atomically.
#include <Kokkos_Core.hpp>

#include <teamsan/model/patterns/Patterns.hpp>

namespace patterns = teamsan::patterns;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const num_ip = 8, points = 100 * num_ip;
  Kokkos::View<double*> damage_data("damage", points);
  Kokkos::View<int*> failed_data("failed points", patterns::ElementShared<int>::extent(points, num_ip));
  Kokkos::parallel_for(
      "load", points, KOKKOS_LAMBDA(int i) { damage_data(i) = i % 3; });
  patterns::PerThreadScalar<double> const damage(damage_data.data());
  patterns::ElementShared<int> const failed(failed_data.data(), num_ip);
  Kokkos::parallel_for(
      "erosion", points, KOKKOS_LAMBDA(int i) {
        if (damage(i) >= 1) failed.atomic_add(i, 1);
      });
  Kokkos::fence();
}
