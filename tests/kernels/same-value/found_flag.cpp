// Every iteration of a block that finds something sets the same flag: a race without harm today, so a warning.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> found("found");
  Kokkos::parallel_for(
      "search", 200, KOKKOS_LAMBDA(int i) {
        if (i % 50 == 7) {
          found() = 1;  // EXPECT: same-value
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return host() == 1 ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
