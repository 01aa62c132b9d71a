// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function writes past the end of its array, through a pointer, over the addresses that it and its callers return to.
#include <Kokkos_Core.hpp>

[[gnu::noinline]] KOKKOS_FUNCTION int last_of(int n, int value) {  // EXPECT-ANYWHERE: crash
  int volatile list[8];
  int volatile* const first = list;  // an index of the array itself would be out-of-bounds
  for (int k = 0; k < n; ++k) first[k] = value;
  return list[7];
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> length("length", 8), y("y", 8);
  Kokkos::parallel_for("lengths", 8, KOKKOS_LAMBDA(int i) { length(i) = i == 5 ? 32 : 8; });
  Kokkos::parallel_for("last", 8, KOKKOS_LAMBDA(int i) { y(i) = last_of(length(i), i); });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(5) != 5;
}
