// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The View is one of the default space, filled through a mirror. (With a policy of the host's space no kernel would run on the
// simulated GPU.)
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> lengths("lengths", 100);
  auto const mirror = Kokkos::create_mirror_view(lengths);
  mirror(42) = 7;
  Kokkos::deep_copy(lengths, mirror);
  int longest = 0;
  Kokkos::parallel_reduce(
      "longest", lengths.extent_int(0),
      KOKKOS_LAMBDA(int i, int& most) {
        most = Kokkos::max(most, lengths(i));
      },
      Kokkos::Max<int>(longest));
  return longest != 7;
}
