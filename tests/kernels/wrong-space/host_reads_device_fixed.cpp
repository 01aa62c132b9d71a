// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Host code reads a mirror of the device memory.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> x("x", 10);
  Kokkos::deep_copy(x, 1.0);
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  double const* data = host.data();
  double sum = 0;
  for (int i = 0; i < 10; ++i) {
    sum += data[i];
  }
  return sum == 10 ? 0 : 1;
}
