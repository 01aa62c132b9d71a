// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A sum by atomics that some lanes, of later blocks, set back by a plain store.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 20'000, bins = 37;
  Kokkos::View<double*> sums("sums", bins);
  Kokkos::parallel_for("update", n, KOKKOS_LAMBDA(int i) {
    if (i % 5000 == 4999)
      sums(i % bins) = 0;  // EXPECT: global-race
    else
      Kokkos::atomic_add(&sums(i % bins), 1.0);
  });
  Kokkos::fence();
}
