// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Updates that a host makes of loads and compare-and-swap: sums of floating-point numbers, of pairs of them, maxima that
// change nothing most of the time. Lanes of all blocks make them to the same words, and to words of their own.
#include <Kokkos_Core.hpp>

int main() {
  Kokkos::ScopeGuard guard;
  int const n = 20'000, bins = 37;
  Kokkos::View<double*> sums("sums", bins), own("own", n);
  Kokkos::View<float*> highest("highest", bins);
  Kokkos::View<Kokkos::complex<double>*> pairs("pairs", bins);
  Kokkos::parallel_for("update", n, KOKKOS_LAMBDA(int i) {
    Kokkos::atomic_add(&sums(i % bins), 1.0);
    Kokkos::atomic_add(&own((i * 7919) % n), 1.0);
    Kokkos::atomic_max(&highest(i % bins), static_cast<float>(i % 100));
    Kokkos::atomic_add(&pairs(i % bins), Kokkos::complex<double>(1.0, 2.0));
    if (i % 5000 == 4999) Kokkos::atomic_mul(&own(0), 1.0);
  });
  Kokkos::parallel_for("read and update", n, KOKKOS_LAMBDA(int i) {
    double const before = own(i);
    Kokkos::atomic_add(&own(i), before);
  });
  double sum = 0;
  Kokkos::parallel_reduce("sum", n, KOKKOS_LAMBDA(int i, double& s) {
    s += own(i);
    if (i < bins) s += sums(i) + highest(i) + pairs(i).imag();
  }, sum);
  double expected = 2.0 * n + n + 2.0 * n + 99.0 * bins;
  return sum == expected ? 0 : 1;
}
