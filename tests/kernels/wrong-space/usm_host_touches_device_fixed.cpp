// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The host reads a copy of the device allocation.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  double* const x = usm::malloc_device<double>(n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { x[i] = i; });
  double host[n];
  usm::copy(x, host, n);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += host[i];
  usm::free(x);
  return sum == n * (n - 1) / 2 ? 0 : 1;
}
