// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs that functions return straight into memory, or take by value from there, are written and read like others.
#include <Kokkos_Core.hpp>

struct Point {
  double x = 0, y = 0;
};
struct Cell {
  double mass = 0;
  int kind = 0;  // and four bytes of padding
};

[[gnu::noinline]] KOKKOS_FUNCTION Point corner(int i) { return {1.0 * i, 2.0 * i}; }
[[gnu::noinline]] KOKKOS_FUNCTION double length(Point p) { return p.x + p.y; }
[[gnu::noinline]] KOKKOS_FUNCTION Cell filled(int i) { return {1.0 * i, i % 3}; }

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<Point*> points("points", n);
  Kokkos::View<Cell*> cells("cells", n);
  Kokkos::View<double*> lengths("lengths", n);
  Kokkos::parallel_for(
      "returned", n, KOKKOS_LAMBDA(int i) {
        points(i) = corner(i);                                 // EXPECT: global-race
        if (i > 0) lengths(i) = points(i - 1).x;               // EXPECT: global-race
      });
  Kokkos::parallel_for(
      "taken", n, KOKKOS_LAMBDA(int i) {
        points(i).y = i;                                       // EXPECT: global-race
        if (i > 0) lengths(i) = length(points(i - 1));         // EXPECT: global-race
      });
  Kokkos::parallel_for(
      "by all", n, KOKKOS_LAMBDA(int i) {
        cells(i % 10) = filled(i);                             // EXPECT: global-race
      });
  Kokkos::fence();
}
