// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// As left_out.cpp, and each iteration reads what it has written, where nobody else has. Padding that nobody has written, and
// bits that a store leaves as they were, are no finding.
#include <Kokkos_Core.hpp>

struct Colour {
  unsigned char red, green, blue;
};
struct Corner {
  short x, y, z;
};
struct Point {
  double x, y;
  int kind;  // and four bytes of padding
  KOKKOS_DEFAULTED_FUNCTION Point() = default;
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
[[gnu::noinline]] KOKKOS_FUNCTION double length(Point p) { return p.kind == 0 ? 0 : p.x + p.y; }

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<double*> sums("sums", n);
  Kokkos::View<Colour*> colours(Kokkos::view_alloc("colours", Kokkos::WithoutInitializing), n);
  Kokkos::View<Corner*> corners(Kokkos::view_alloc("corners", Kokkos::WithoutInitializing), n);
  Kokkos::View<long double*> longs(Kokkos::view_alloc("longs", Kokkos::WithoutInitializing), n);
  Kokkos::View<Wide*> wides(Kokkos::view_alloc("wides", Kokkos::WithoutInitializing), n);
  Kokkos::View<Point*> points(Kokkos::view_alloc("points", Kokkos::WithoutInitializing), n);
  Kokkos::View<Flags*> flags(Kokkos::view_alloc("flags", Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for(
      "of 3 bytes", n, KOKKOS_LAMBDA(int i) {
        colours(i) = colour(i);
        sums(i) = brightness(colours(i));
      });
  Kokkos::parallel_for(
      "of 6 bytes", n, KOKKOS_LAMBDA(int i) {
        corners(i) = corner(static_cast<short>(i));
        sums(i) = around(corners(i));
      });
  Kokkos::parallel_for(
      "long double", n, KOKKOS_LAMBDA(int i) {
        longs(i) = i;
        sums(i) = static_cast<double>(longs(i));
      });
  Kokkos::parallel_for(
      "vectors", n, KOKKOS_LAMBDA(int i) {
        double const x = i;
        wides(i) = Wide{x, x, x, x};
        wides(i) += wides(i);
      });
  Kokkos::parallel_for(
      "taken", n, KOKKOS_LAMBDA(int i) {
        points(i).x = points(i).y = i;
        points(i).kind = 1;
        sums(i) = length(points(i));
      });
  Kokkos::parallel_for(
      "flags", n, KOKKOS_LAMBDA(int i) {
        flags(i).low = 1;
        flags(i).high = 2;
        sums(i) = flags(i).high;
      });
  Kokkos::parallel_for(
      "read", n, KOKKOS_LAMBDA(int i) {
        sums(i) = brightness(colours(i)) + around(corners(i)) + static_cast<double>(longs(i));
        sums(i) += wides(i)[0] + length(points(i)) + flags(i).low;
      });
  Kokkos::fence();
}
