// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs that functions return into memory or take by value from there: each lane its own. Padding that nobody has written,
// and elements that are initialised so and by nothing else, are no finding.
// EXPECT-NONE
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
[[gnu::noinline]] KOKKOS_FUNCTION double density(Cell c) { return c.kind == 0 ? 0 : c.mass; }
[[gnu::noinline]] KOKKOS_FUNCTION Cell checked(int i) {
  if (i < 0) throw i;
  return {1.0 * i, 1};
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<Point*> points(Kokkos::view_alloc("points", Kokkos::WithoutInitializing), n);
  Kokkos::View<Cell*> cells(Kokkos::view_alloc("cells", Kokkos::WithoutInitializing), n);
  Kokkos::View<Cell*> members(Kokkos::view_alloc("members", Kokkos::WithoutInitializing), n);
  Kokkos::View<double*> lengths("lengths", n);
  Kokkos::parallel_for(
      "returned", n, KOKKOS_LAMBDA(int i) {
        points(i) = corner(i);
        cells(i) = filled(i);
        members(i).mass = i;
        members(i).kind = 1;
      });
  Kokkos::parallel_for(
      "taken", n, KOKKOS_LAMBDA(int i) {
        lengths(i) = length(points(i)) + density(cells(i)) + density(members(i));
      });
  Kokkos::parallel_for(
      "may throw", n, KOKKOS_LAMBDA(int i) { cells(i) = checked(i); });
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", n, KOKKOS_LAMBDA(int i, double& s) { s += lengths(i) + density(cells(i)); }, sum);
  return sum > 0 ? 0 : 1;
}
