// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Minima of floating-point numbers, which a host makes of a load and compare-and-swap, race with stores and reads: whether a
/// swap is tried, and how often, hangs on what others have left there, and what is told does not, counts and lines included.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  constexpr int n = 4096;
  Kokkos::View<double*> least("least", n), sums("sums", n);
  Kokkos::deep_copy(least, 1.0);
  for (int launch = 0; launch != 3; ++launch)
    Kokkos::parallel_for("minima", n, KOKKOS_LAMBDA(int i) {
      Kokkos::atomic_min(&least(i * 37 % n), static_cast<double>(-(i % 7)));
      double sum = 0;
      for (int k = 0; k < 4; ++k) sum += least((i + k * 300) % n);
      if (i % 3 == 0) least(i * 5 % n) = i % 11 - 5;
      sums(i) = sum;
    });
}
