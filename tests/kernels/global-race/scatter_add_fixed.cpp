// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Elements add to shared nodes with atomics.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const elements = 300;
  Kokkos::View<double*> nodes("nodes", elements + 1);
  Kokkos::parallel_for(
      "assemble", elements, KOKKOS_LAMBDA(int e) {
        for (int corner = 0; corner < 2; ++corner) {
          Kokkos::atomic_add(&nodes(e + corner), 0.5);
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), nodes);
  return host(0) == 0.5 && host(1) == 1.0 && host(elements) == 0.5 ? 0 : 1;
}
