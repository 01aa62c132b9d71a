// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Marks of a byte each: after the first round, the host changes them again and says so, and nobody brings them to the device.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::DualView<char*> marks("marks", n);
  Kokkos::View<int*> out("out", n);
  auto const on_host = marks.view_host();
  auto const on_device = marks.view_device();
  for (char round = 1; round < 3; ++round) {
    for (int i = 0; i < n; ++i) on_host(i) = round;
    marks.modify_host();  // EXPECT: stale-copy
    if (round == 1) marks.sync_device();
    Kokkos::parallel_for(
        "use", n, KOKKOS_LAMBDA(int i) {
          out(i) += on_device(i);  // EXPECT: stale-copy
        });
  }
  Kokkos::fence();
  return 0;
}
