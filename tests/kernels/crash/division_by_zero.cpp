// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An integer division by a zero that lies in memory.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> counts("counts", 16), means("means", 16);
  Kokkos::parallel_for(
      "mean", 16, KOKKOS_LAMBDA(int i) {
        means(i) = 100 / counts(i);  // EXPECT: crash
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), means);
  return host(15) < 0;
}
