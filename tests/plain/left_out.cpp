// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Clang's own instrumentation leaves out is written and read like others: accesses of 3, 6, 10 and 32 bytes, and structs
// that functions take by value from memory.
#include <Kokkos_Core.hpp>

struct Colour {
  unsigned char red, green, blue;
};
struct Corner {
  short x, y, z;
};
struct Point {
  double x = 0, y = 0, z = 0;
};
struct [[gnu::packed]] Flags {
  unsigned low : 10, high : 14;
};
using Wide = double __attribute__((vector_size(32)));

[[gnu::noinline]] KOKKOS_FUNCTION Colour colour(int i) {
  auto const grey = static_cast<unsigned char>(i);
  return {grey, grey, grey};
}
[[gnu::noinline]] KOKKOS_FUNCTION int brightness(Colour c) { return c.red + c.green + c.blue; }
[[gnu::noinline]] KOKKOS_FUNCTION Corner corner(short i) { return {i, i, i}; }
[[gnu::noinline]] KOKKOS_FUNCTION int around(Corner c) { return c.x + c.y + c.z; }
[[gnu::noinline]] KOKKOS_FUNCTION double length(Point p) { return p.x + p.y + p.z; }

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<double*> sums("sums", n);
  Kokkos::View<Colour*> colours("colours", n);
  Kokkos::View<Corner*> corners("corners", n);
  Kokkos::View<long double*> longs("longs", n);
  Kokkos::View<Wide*> wides("wides", n);
  Kokkos::View<Point*> points("points", n);
  Kokkos::View<Flags*> flags("flags", n);
  Kokkos::parallel_for(
      "of 3 bytes", n, KOKKOS_LAMBDA(int i) {
        colours(i) = colour(i);                                // EXPECT: global-race
        if (i > 0) sums(i) = brightness(colours(i - 1));       // EXPECT: global-race
      });
  Kokkos::parallel_for(
      "of 6 bytes", n, KOKKOS_LAMBDA(int i) {
        corners(i) = corner(static_cast<short>(i));            // EXPECT: global-race
        if (i > 0) sums(i) = around(corners(i - 1));           // EXPECT: global-race
      });
  Kokkos::parallel_for(
      "long double", n, KOKKOS_LAMBDA(int i) {
        longs(i) = i;                                          // EXPECT: global-race
        if (i > 0) sums(i) = static_cast<double>(longs(i - 1));  // EXPECT: global-race
      });
  Kokkos::parallel_for(
      "vectors", n, KOKKOS_LAMBDA(int i) {
        double const x = i;
        wides(i) = Wide{x, x, x, x};                           // EXPECT: global-race
        if (i > 0) wides(i) += wides(i - 1);                   // EXPECT: global-race
      });
  Kokkos::parallel_for(
      "taken", n, KOKKOS_LAMBDA(int i) {
        points(i).y = i;                                       // EXPECT: global-race
        if (i > 0) sums(i) = length(points(i - 1));            // EXPECT: global-race
      });
  Kokkos::parallel_for(
      "flags", n, KOKKOS_LAMBDA(int i) {
        flags(i).low = 1;                                      // EXPECT: global-race
        if (i > 0) sums(i) = flags(i - 1).high;                // EXPECT: global-race
      });
  Kokkos::fence();
}
