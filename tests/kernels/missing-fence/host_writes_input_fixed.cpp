// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The instance is fenced before the buffer is refilled.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::DefaultExecutionSpace const space;
  Kokkos::View<double*, Kokkos::SharedHostPinnedSpace> buffer("buffer", n);
  Kokkos::View<double*> sums("sums", n);
  for (int round = 0; round < 3; ++round) {
    space.fence();
    for (int i = 0; i < n; ++i) buffer(i) = round;
    Kokkos::parallel_for(
        "add", Kokkos::RangePolicy<>(space, 0, n), KOKKOS_LAMBDA(int i) {
          sums(i) += buffer(i);
        });
  }
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return host(5) == 3 ? 0 : 1;
}
