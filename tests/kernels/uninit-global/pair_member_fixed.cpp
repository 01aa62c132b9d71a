// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Both members of each pair are written.
#include <Kokkos_Core.hpp>

using Entry = Kokkos::pair<int, double>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<Entry*> entries(Kokkos::view_alloc("entries", Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for(
      "keys", n, KOKKOS_LAMBDA(int i) {
        entries(i).first = i;
        entries(i).second = 0.5 * i;
      });
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", n,
      KOKKOS_LAMBDA(int i, double& update) {
        update += entries(i).second;
      },
      sum);
  return sum > 1e300;
}
