// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An unmanaged View outlives the memory it looks at.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 50;
  Kokkos::View<int*> y("y", n);
  Kokkos::View<int*, Kokkos::MemoryUnmanaged> window;
  {
    Kokkos::View<int*> owner("owner", n);
    window = Kokkos::View<int*, Kokkos::MemoryUnmanaged>(owner.data(), n);
  }
  Kokkos::parallel_for(
      "window", n, KOKKOS_LAMBDA(int i) {
        y(i) = window(i);  // EXPECT: out-of-bounds
      });
  Kokkos::fence();
}
