// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The array is filled from the host before it is copied.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<int*> from(Kokkos::view_alloc("from", Kokkos::WithoutInitializing), n), to("to", n), y("y", n);
  auto host = Kokkos::create_mirror_view(from);
  for (int i = 0; i < n; ++i) host(i) = i;
  Kokkos::deep_copy(from, host);
  Kokkos::deep_copy(to, from);
  Kokkos::parallel_for(
      "use", n, KOKKOS_LAMBDA(int i) { y(i) = to(n - 1 - i); });
  Kokkos::fence();
}
