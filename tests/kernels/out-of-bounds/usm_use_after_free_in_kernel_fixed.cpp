// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// It is freed after the kernel.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  int* const x = usm::malloc_device<int>(n, {}, "x");
  int* const y = usm::malloc_device<int>(n, {}, "y");
  usm::fill_bytes(Kokkos::DefaultExecutionSpace(), x, 0, n);
  Kokkos::parallel_for(
      "copy", n, KOKKOS_LAMBDA(int i) { y[i] = x[i]; });
  Kokkos::fence();
  usm::free(x);
  usm::free(y);
}
