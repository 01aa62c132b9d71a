// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Flat kernels whose iterations race, in a block and between blocks, beside others that are right: what lanes claim and what
// goes to their teams' shadow must not hang on which worker came first.
#include <Kokkos_Core.hpp>

#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 20'000;
  Kokkos::View<double*> x("x", n), y("y", n), z("z", n / 100 + 1);
  Kokkos::View<int*> counts("counts", 64), flag("flag", 2);
  Kokkos::View<double*> fresh(Kokkos::view_alloc("fresh", Kokkos::WithoutInitializing), n);
  for (int repeat = 0; repeat != 3; ++repeat) {
    Kokkos::parallel_for("right", n, KOKKOS_LAMBDA(int i) {
      y(i) = x(i) + x((i * 977 + 1) % n);
      Kokkos::atomic_add(&counts(i % 64), 1);
    });
    Kokkos::parallel_for("neighbour", n - 1, KOKKOS_LAMBDA(int i) { y(i) = y(i + 1) + 1; });
    Kokkos::parallel_for("far", n, KOKKOS_LAMBDA(int i) { x((i * 7919) % n) += y((i * 31) % (n / 2)) + x((i * 131) % n); });
    Kokkos::parallel_for("sum", n, KOKKOS_LAMBDA(int i) { z(i / 100) += x(i); });
    Kokkos::parallel_for("flag", n, KOKKOS_LAMBDA(int i) {
      if (i % 300 == 299) flag(0) = 1;
    });
    Kokkos::parallel_for("mixed", n, KOKKOS_LAMBDA(int i) {
      if (i % 1000 == 7)
        counts(i % 64) = 0;
      else
        Kokkos::atomic_inc(&counts(i % 64));
    });
    Kokkos::parallel_for("fresh", n, KOKKOS_LAMBDA(int i) {
      if (i % 3 != 0) fresh(i) = i;
      if (i % 999 == 0) y(i) = fresh((i * 3) % n);
    });
    Kokkos::parallel_for("tiles", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {100, 100}),
                         KOKKOS_LAMBDA(int i, int j) { x(i * 100 + j) = x(j * 100 + i) + 1; });
    Kokkos::deep_copy(y, 0);  // what races have left there would decide whether a maximum is stored
    Kokkos::parallel_for("loops", n, KOKKOS_LAMBDA(int i) {
      Kokkos::atomic_max(&y((i * 7919) % n), i % 7 == 0 ? 1e9 : -1e9);
      if (i % 777 == 11)
        z(i % 50) = i;
      else
        Kokkos::atomic_add(&z(i % 50), 1.0);
      if (i % 2000 == 19) y((i + 9000) % n) = fresh(i);
    });
    Kokkos::View<double> highest("highest");
    Kokkos::View<double*> part(Kokkos::view_alloc("part", Kokkos::WithoutInitializing), n);
    Kokkos::parallel_for("early exits", n, KOKKOS_LAMBDA(int i) {
      Kokkos::atomic_max(&highest(), 1.0 * i);
      if (i == n / 2) highest() = 0;
      double* const word = i / 256 % 2 == 0 ? &x(i) : &part(i);
      if (i / 256 % 2 != 0) part(i) = 0;
      Kokkos::atomic_max(word, 1.0 * i);
      if (i % 3000 == 2999) x(i - 700) = i;
    });
    Kokkos::parallel_scan("shift", n - 1, KOKKOS_LAMBDA(int i, double& s, bool last) {
      s += x(i + 1);
      if (i % 1234 == 5) Kokkos::memory_fence();
      if (last) x(i) = s;
    });
    double sum = 0;
    Kokkos::parallel_reduce(
        "reduce", n,
        KOKKOS_LAMBDA(int i, double& s) {
          s += 1;
          z((i / 2) % z.extent(0)) = i;
        },
        sum);
    if (sum != n) return 1;
  }
}
