// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counts are read by a kernel of its own.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5000;
  Kokkos::View<int*> counts("counts", 16), most("most", 1);
  Kokkos::parallel_for(
      "count", n, KOKKOS_LAMBDA(int i) {
        Kokkos::atomic_inc(&counts(i % 16));  // EXPECT-NONE
      });
  Kokkos::parallel_for("read", 1, KOKKOS_LAMBDA(int) { most(0) = counts(3); });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), most);
  return host(0) < 0;
}
