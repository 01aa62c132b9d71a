// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: check=all,stale-copy
// EXPECT-NONE
// DualViews used right: copied before they are read, from either side; written whole on the device while the host's side is
// newer; read where both sides are alike.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::DualView<int*> a("a", n), b("b", n), c("c", n);
  auto const a_host = a.view_host(), b_host = b.view_host(), c_host = c.view_host();
  auto const a_device = a.view_device(), b_device = b.view_device(), c_device = c.view_device();
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < n; ++i) a_host(i) = i + round;
    a.modify_host();
    a.sync_device();
    Kokkos::parallel_for(
        "from host", n, KOKKOS_LAMBDA(int i) { b_device(i) = a_device(i) + 1; });
    b.modify_device();
    b.sync_host();
    // Declared modified while nothing was: both sides are alike.
    a.modify_host();
    Kokkos::parallel_for(
        "alike", n, KOKKOS_LAMBDA(int i) { c_device(i) = a_device(i) + b_device(i); });
    a.sync_device();
    c.modify_device();
    c.sync_host();
    // The host begins the next round's before the device has done with this one's: it does not read them.
    for (int i = 0; i < n; ++i) c_host(i) = -i;
    c.modify_host();
    Kokkos::parallel_for(
        "write", n, KOKKOS_LAMBDA(int i) { c_device(i) = i; });
    c.clear_sync_state();
    Kokkos::parallel_for(
        "read again", n, KOKKOS_LAMBDA(int i) { b_device(i) = c_device(i); });
    b.modify_device();
    b.sync_host();
  }
  return b_host(7) == 7 ? 0 : 1;
}
