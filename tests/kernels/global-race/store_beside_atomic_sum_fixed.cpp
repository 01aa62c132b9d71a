// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The sums are set back by an atomic, too.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 20'000, bins = 37;
  Kokkos::View<double*> sums("sums", bins);
  Kokkos::parallel_for("update", n, KOKKOS_LAMBDA(int i) {
    if (i % 5000 == 4999)
      Kokkos::atomic_store(&sums(i % bins), 0.0);
    else
      Kokkos::atomic_add(&sums(i % bins), 1.0);
  });
  Kokkos::fence();
}
