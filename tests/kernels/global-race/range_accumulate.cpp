// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A parallel loop accumulates into one element.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 500;
  Kokkos::View<long> sum("sum");
  Kokkos::parallel_for(
      "accumulate", n, KOKKOS_LAMBDA(int i) {
        sum() += i;  // EXPECT: global-race
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
  return host() < 0;
}
