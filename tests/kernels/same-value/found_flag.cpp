// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every iteration that finds something sets the same flag. Which iterations are one block, a user does not see, so that the
// values decide nothing: it is a race in one block as in many (global-race/found_flag_of_many).
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> found("found");
  Kokkos::parallel_for(
      "search", 200, KOKKOS_LAMBDA(int i) {
        if (i % 50 == 7) {
          found() = 1;  // EXPECT: global-race
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
  return host() == 1 ? 0 : 1;
}
