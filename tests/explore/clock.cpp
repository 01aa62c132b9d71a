// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What differs from run to run under one schedule too is nobody's order.
#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  auto const now = std::chrono::steady_clock::now().time_since_epoch().count();
  Kokkos::View<long*> time("time", 1);
  Kokkos::parallel_for(
      "stamp", 1, KOKKOS_LAMBDA(int i) { time(i) = now; });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), time);
  std::printf("at %ld\n", host(0));
}
