// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration sets a flag of its own: bytes of one word are different data.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<char*> flags("flags", n);
  Kokkos::View<int*> marks("marks", n);
  Kokkos::parallel_for(
      "set", n, KOKKOS_LAMBDA(int i) {
        marks(i) = i;
        if (i >= 1024) flags(i) = static_cast<char>(i % 2);  // EXPECT-NONE
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), flags);
  return host(1) < 0;
}
