// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The divisor is not zero.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> counts("counts", 16), means("means", 16);
  Kokkos::deep_copy(counts, 3);
  Kokkos::parallel_for(
      "mean", 16, KOKKOS_LAMBDA(int i) { means(i) = 100 / counts(i); });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), means);
  return host(15) == 33 ? 0 : 1;
}
