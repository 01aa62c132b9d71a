// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An index that is too large by whole rows walks through the Views behind the one that is meant, and is one finding.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 40;
  Kokkos::View<int*> a("a", n), b("b", n), c("c", n), out("out", 8 * n);
  Kokkos::deep_copy(a, 1);
  Kokkos::deep_copy(b, 1);
  Kokkos::deep_copy(c, 1);
  // EXPECT-OUTPUT: teamsan: 1 error in
  // EXPECT-OUTPUT: a\(40\), extent 40
  Kokkos::parallel_for(
      "gather", 8 * n, KOKKOS_LAMBDA(int i) {
        out(i) = a(i);  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
