// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: check=all,stale-copy
// A kernel changes the device's side and the host says so, but looks at its own side before that is brought there.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 500;
  Kokkos::DualView<double*> energy("energy", n);
  auto const on_device = energy.view_device();
  Kokkos::parallel_for(
      "energies", n, KOKKOS_LAMBDA(int i) { on_device(i) = 0.5 * i; });
  energy.modify_device();  // EXPECT: stale-copy
  auto const on_host = energy.view_host();
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += on_host(i);  // EXPECT: stale-copy
  return sum < 0;
}
