// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A reduction that is given a number and no policy runs on the default space, whichever space its View is of.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*, Kokkos::DefaultHostExecutionSpace> lengths("lengths", 100);
  lengths(42) = 7;
  int longest = 0;
  Kokkos::parallel_reduce(
      "longest", lengths.extent_int(0),
      KOKKOS_LAMBDA(int i, int& most) {
        most = Kokkos::max(most, lengths(i));  // EXPECT: wrong-space
      },
      Kokkos::Max<int>(longest));
  return longest != 7;
}
