// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the second block on each iteration fences, and no atomic says so: two that store to one element race all the same.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 6000;
  Kokkos::View<double*> out("out", n);
  Kokkos::parallel_for(
      "scatter", n, KOKKOS_LAMBDA(int i) {
        if (i >= 512) Kokkos::memory_fence();
        out(i < 512 ? i : 512 + i % 2000) = i;  // EXPECT: global-race
        if (i >= 512) Kokkos::memory_fence();
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(1) < 0;
}
