// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: check=all,stale-copy
// EXPECT-NONE
// The mirror is copied when it is whole.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 400;
  Kokkos::View<double*> table("table", n), out("out", n);
  auto const on_host = Kokkos::create_mirror_view(table);
  for (int i = 0; i < n; ++i) on_host(i) = 0.5 * i;
  Kokkos::deep_copy(table, on_host);
  on_host(n - 1) = 0;
  Kokkos::deep_copy(table, on_host);
  Kokkos::parallel_for(
      "look up", n, KOKKOS_LAMBDA(int i) {
        out(i) = 2 * table(i);
      });
  return 0;
}
