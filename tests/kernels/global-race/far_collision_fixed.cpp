// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scatter to targets of their own.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 6001;
  Kokkos::View<double*> in("in", n), out("out", n);
  Kokkos::parallel_for("fill", n, KOKKOS_LAMBDA(int i) { in(i) = i; });
  Kokkos::parallel_for(
      "scatter", n, KOKKOS_LAMBDA(int i) {
        out((i * 7) % n) = in(i);  // EXPECT-NONE
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(1) < 0;
}
