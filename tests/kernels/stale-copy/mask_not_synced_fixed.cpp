// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// sync_device() brings it there.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 500;
  Kokkos::DualView<int*> mask("mask", n);
  Kokkos::View<int*> out("out", n);
  auto const on_host = mask.view_host();
  for (int i = 0; i < n; ++i) on_host(i) = i % 3;
  mask.modify_host();
  mask.sync_device();
  auto const on_device = mask.view_device();
  Kokkos::parallel_for(
      "use", n, KOKKOS_LAMBDA(int i) {
        out(i) = on_device(i) == 2;
      });
  return 0;
}
