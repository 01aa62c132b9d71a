// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Sides of DualViews that are used for different things on purpose: the host's, undeclared, holds numbers of its own; where the
// device's is newer, the host still reads what it had; and of what the host declares, a kernel reads the part that is alike.
#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::DualView<int*> own("own", n), newer("newer", n), parts("parts", n);
  Kokkos::View<int*> out("out", n);
  auto const own_host = own.view_host(), newer_host = newer.view_host(), parts_host = parts.view_host();
  auto const own_device = own.view_device(), newer_device = newer.view_device(), parts_device = parts.view_device();
  own.modify_host();
  own.sync_device();
  for (int i = 0; i < n; ++i) own_host(i) = -i;
  Kokkos::parallel_for(
      "write", n, KOKKOS_LAMBDA(int i) { newer_device(i) = own_device(i) + 1; });
  newer.modify_device();
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += newer_host(i);
  for (int i = 0; i < n; i += 2) parts_host(i) = i + 1;
  parts.modify_host();
  Kokkos::parallel_for(
      "odd", n, KOKKOS_LAMBDA(int i) { out(i) = i % 2 == 1 ? parts_device(i) : 0; });
  return sum;
}
