// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop on the host sorts the mirror's entries, and in one branch the device's: Kokkos ends the program there.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int count = 100;
  Kokkos::View<int*> map("map", count);
  Kokkos::parallel_for(
      "number", count, KOKKOS_LAMBDA(int i) { map(i) = i; });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), map);
  // EXPECT-OUTPUT: attempt to access inaccessible memory space
  // EXPECT-OUTPUT: Data    map: int\[100\]
  for (int i = 0; i < count; ++i)
    if (host(i) % 10 == 3) {
      --count;
      map(i) = host(count);  // EXPECT: wrong-space
    }
  Kokkos::deep_copy(map, host);
  return count > 95;
}
