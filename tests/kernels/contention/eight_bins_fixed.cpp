// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sixteen bins: two lanes of each warp want the same one, which is below the bound.
// OPTIONS: check=all,contention:device=h100:contention=3
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int n = 4096, bins = 16;
  Kokkos::View<int*> counts("counts", bins);
  Kokkos::parallel_for(
      "sort into bins", n, KOKKOS_LAMBDA(int i) { Kokkos::atomic_inc(&counts(i % bins)); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  return host(0) == n / bins ? 0 : 1;
}
