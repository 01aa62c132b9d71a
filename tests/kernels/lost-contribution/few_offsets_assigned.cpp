// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scan of so few that one block makes it, and each lane adds up one length: the body assigns it, and so a host, or a longer
// scan, forgets all but the last.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 60;
  Kokkos::View<double*> length("length", n), offset("offset", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { length(i) = 1 + (5 * i) % 9; });
  Kokkos::parallel_scan(
      "offsets", n, KOKKOS_LAMBDA(int i, double& update, bool final) {
        if (!final) {
          update = length(i);  // EXPECT: lost-contribution
        } else {
          update += length(i);
          offset(i) = update;
        }
      });
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), offset)(1) < 0;
}
