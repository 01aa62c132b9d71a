// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last one has no right neighbour.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4000;
  Kokkos::View<double*> in("in", n), out("out", n);
  Kokkos::parallel_for(
      "difference", n - 1, KOKKOS_LAMBDA(int i) {
        out(i) = in(i + 1) - in(i);  // EXPECT-NONE
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(1) < 0;
}
