// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// No lane changes the functor, whose member is one that might be changed.
#include <Kokkos_Core.hpp>

struct Count {
  mutable int k = 0;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5000;
  Kokkos::View<int*> y("y", n);
  Kokkos::View<int**> z("z", 50, 100);
  Count const c;
  using Kokkos::parallel_for, Kokkos::parallel_reduce, Kokkos::parallel_scan;
  using Grid = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
  Grid const g({0, 0}, {50, 100});
  parallel_for("range", n, KOKKOS_LAMBDA(int i) { y(i) = i == 999 ? c.k : i; });
  parallel_for("grid", g, KOKKOS_LAMBDA(int i, int j) { z(i, j) = i == 40 ? c.k : j; });
  int sum = 0;
  parallel_reduce("sum", n, KOKKOS_LAMBDA(int i, int& s) { s += i == 999 ? c.k : i; }, sum);
  parallel_scan("scan", n, KOKKOS_LAMBDA(int i, int& s, bool) { s += i == 999 ? c.k : i; });
  Kokkos::fence();
}
// EXPECT-NONE
