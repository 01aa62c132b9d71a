// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Iterations that hold the same token one after the other use the same slot of a work array.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::Experimental::UniqueToken<Kokkos::DefaultExecutionSpace> tokens;
  Kokkos::View<long*> sums("sums", tokens.size());
  int const n = 2000;
  Kokkos::parallel_for(
      "tokens", n, KOKKOS_LAMBDA(int i) {
        int const slot = tokens.acquire();
        sums(slot) += i;
        tokens.release(slot);
      });
  long total = 0;
  Kokkos::parallel_reduce(
      "total", sums.size(), KOKKOS_LAMBDA(int i, long& update) { update += sums(i); }, total);
  return total == 1L * n * (n - 1) / 2 ? 0 : 1;
}
