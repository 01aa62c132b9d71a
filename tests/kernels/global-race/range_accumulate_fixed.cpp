// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// parallel_reduce accumulates without a race.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 500;
  Kokkos::View<long> sum("sum");
  Kokkos::parallel_reduce(
      "accumulate", n, KOKKOS_LAMBDA(int i, long& update) { update += i; }, sum);
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
  return host() == 124750 ? 0 : 1;
}
