// No lane changes the functor, whose member is one that might be changed: in a range, a range of two dimensions, a sum and a scan.
#include <Kokkos_Core.hpp>

struct Count {
  mutable int last = 0;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5000;
  Kokkos::View<int*> y("y", n);
  Kokkos::View<int**> z("z", 50, 100);
  Count const c;
  using Grid = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
  Grid const grid({0, 0}, {50, 100});
  Kokkos::parallel_for("range", n, KOKKOS_LAMBDA(int i) { y(i) = i == 4000 ? c.last : i; });
  Kokkos::parallel_for("grid", grid, KOKKOS_LAMBDA(int i, int j) { z(i, j) = i == 40 ? c.last : j; });
  int sum = 0;
  Kokkos::parallel_reduce("sum", n, KOKKOS_LAMBDA(int i, int& s) { s += i == 4000 ? c.last : i; }, sum);
  Kokkos::parallel_scan("scan", n, KOKKOS_LAMBDA(int i, int& s, bool) { s += i == 4000 ? c.last : i; });
  Kokkos::fence();
}
// EXPECT-NONE
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
