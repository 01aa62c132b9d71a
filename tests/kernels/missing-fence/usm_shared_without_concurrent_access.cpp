// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host reads a part of a shared allocation while a kernel works on another; there is no concurrent access.
// OPTIONS: usm_aspects=-concurrent
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  int* const x = usm::malloc_shared<int>(2 * n, {}, "x");
  for (int i = 0; i < 2 * n; ++i) x[i] = i;
  Kokkos::parallel_for(
      "first half", n, KOKKOS_LAMBDA(int i) { x[i] *= 2; });
  int const last = x[2 * n - 1];  // EXPECT: missing-fence
  Kokkos::fence();
  usm::free(x);
  return last == 2 * n - 1 ? 0 : 1;
}
