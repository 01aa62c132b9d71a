// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// It changes the mirror, which is copied back.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int count = 100;
  Kokkos::View<int*> map("map", count);
  Kokkos::parallel_for(
      "number", count, KOKKOS_LAMBDA(int i) { map(i) = i; });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), map);
  for (int i = 0; i < count; ++i)
    if (host(i) % 10 == 3) {
      --count;
      host(i) = host(count);
    }
  Kokkos::deep_copy(map, host);
  return count > 95;
}
