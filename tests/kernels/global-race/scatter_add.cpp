// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements add to the nodes they share with their neighbours, without atomics.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const elements = 300;
  Kokkos::View<double*> nodes("nodes", elements + 1);
  Kokkos::parallel_for(
      "assemble", elements, KOKKOS_LAMBDA(int e) {
        for (int corner = 0; corner < 2; ++corner) {
          nodes(e + corner) += 0.5;  // EXPECT: global-race
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), nodes);
  return host(0) < 0;
}
