// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements are stored where an atomic counter says: whoever comes first gets the first place.
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 100;
  Kokkos::View<int*> kept("kept", n);
  Kokkos::View<int> next("next");
  Kokkos::parallel_for(
      "compact", n, KOKKOS_LAMBDA(int i) { kept(Kokkos::atomic_fetch_add(&next(), 1)) = 10 * i; });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kept);
  std::printf("first %g\n", static_cast<double>(host(0)));
}
