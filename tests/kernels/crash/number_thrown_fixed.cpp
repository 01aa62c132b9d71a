// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The lane leaves the number in a View, and the host looks at it.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 16), errors("errors", 16);
  Kokkos::parallel_for(
      "check", 16, KOKKOS_LAMBDA(int i) { errors(i) = x(i) == 0 ? 10 * i : 0; });
  auto const on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), errors);
  return on_host(7) == 70 ? 0 : 1;
}
