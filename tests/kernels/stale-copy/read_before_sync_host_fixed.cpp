// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: check=all,stale-copy
// EXPECT-NONE
// sync_host() brings it there; what the host stores in its own side afterwards, and reads again, is its own.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 500;
  Kokkos::DualView<double*> energy("energy", n);
  auto const on_device = energy.view_device();
  Kokkos::parallel_for(
      "energies", n, KOKKOS_LAMBDA(int i) { on_device(i) = 0.5 * i; });
  energy.modify_device();
  energy.sync_host();
  auto const on_host = energy.view_host();
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += on_host(i);
  on_host(3) = sum;
  energy.modify_host();
  sum -= on_host(3);
  return sum < 0;
}
