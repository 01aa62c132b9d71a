// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The host reads what a kernel writes in a shared allocation; concurrent access does not help.
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

namespace usm = teamsan::usm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  int* const x = usm::malloc_shared<int>(n, {}, "x");
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { x[i] = i; });
  int const last = x[n - 1];  // EXPECT: missing-fence
  Kokkos::fence();
  usm::free(x);
  return last == n - 1 ? 0 : 1;
}
