// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts are added up by atomics, and one iteration far behind reads them in the same kernel.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5000;
  Kokkos::View<int*> counts("counts", 16), most("most", 1);
  Kokkos::parallel_for(
      "count", n, KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_inc(&counts(i % 16));        // EXPECT: global-race
        if (i == n - 1) most(0) = counts(3);        // EXPECT: global-race
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), most);
  return host(0) < 0;
}
