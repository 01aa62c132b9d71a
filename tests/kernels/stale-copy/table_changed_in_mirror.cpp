// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: check=all,stale-copy
// A table's mirror is changed once more after it was copied, and the kernel looks up the older value.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 400;
  Kokkos::View<double*> table("table", n), out("out", n);
  auto const on_host = Kokkos::create_mirror_view(table);
  for (int i = 0; i < n; ++i) on_host(i) = 0.5 * i;
  Kokkos::deep_copy(table, on_host);
  on_host(n - 1) = 0;  // EXPECT: stale-copy
  Kokkos::parallel_for(
      "look up", n, KOKKOS_LAMBDA(int i) {
        out(i) = 2 * table(i);  // EXPECT: stale-copy
      });
  return 0;
}
