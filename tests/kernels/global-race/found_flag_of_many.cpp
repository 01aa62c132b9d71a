// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every iteration that finds something sets the same flag, over many blocks (same-value/found_flag: in one).
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> found("found");
  Kokkos::parallel_for(
      "search", 20000, KOKKOS_LAMBDA(int i) {
        if (i % 50 == 7) {
          found() = 1;  // EXPECT: global-race
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return host() == 1 ? 0 : 1;
}
