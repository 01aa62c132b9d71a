// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The flag is set atomically.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> found("found");
  Kokkos::parallel_for(
      "search", 20000, KOKKOS_LAMBDA(int i) {
        if (i % 50 == 7) {
          Kokkos::atomic_store(&found(), 1);
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return host() == 1 ? 0 : 1;
}
