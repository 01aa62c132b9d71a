// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the second block on, two iterations set one flag of a byte each, and not the same value.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<char*> flags("flags", n);
  Kokkos::View<int*> marks("marks", n);
  Kokkos::parallel_for(
      "set", n, KOKKOS_LAMBDA(int i) {
        marks(i) = i;
        if (i >= 1024) flags(i / 2) = static_cast<char>(i % 2);  // EXPECT: global-race
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), flags);
  return host(1) < 0;
}
