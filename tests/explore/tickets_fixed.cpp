// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements are stored where a scan says.
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<int*> kept("kept", n);
  Kokkos::parallel_scan(
      "compact", n, KOKKOS_LAMBDA(int i, int& place, bool final_pass) {
        if (final_pass) kept(place) = 10 * i;
        ++place;
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kept);
  std::printf("first %g\n", static_cast<double>(host(0)));
}
