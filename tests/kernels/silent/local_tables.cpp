// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Tables and arrays that belong to a lane: constants that the compiler puts beside the program, arrays on the
// lane's stack, references to its locals, objects with virtual functions.
#include <Kokkos_Core.hpp>

struct Shape {
  KOKKOS_FUNCTION virtual double area() const = 0;
  KOKKOS_FUNCTION virtual ~Shape() {}
};
struct Square : Shape {
  double side;
  KOKKOS_FUNCTION explicit Square(double s) : side(s) {}
  KOKKOS_FUNCTION double area() const override { return side * side; }
};
struct Circle : Shape {
  double radius;
  KOKKOS_FUNCTION explicit Circle(double r) : radius(r) {}
  KOKKOS_FUNCTION double area() const override { return 3 * radius * radius; }
};

KOKKOS_FUNCTION void smooth(double const (&in)[8], double (&out)[8], int steps) {
  double const weights[4] = {0.5, 0.25, 0.125, 0.125};
  for (int k = 0; k < 8; ++k) {
    out[k] = 0;
    for (int w = 0; w < 4; ++w) out[k] += weights[(w + steps) % 4] * in[(k + w) % 8];
  }
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 200;
  Kokkos::View<double*> y("y", n);
  Kokkos::parallel_for(
      "locals", n, KOKKOS_LAMBDA(int i) {
        char const names[3] = {'a', 'b', 'c'};
        double values[8], smoothed[8];
        for (int k = 0; k < 8; ++k) values[k] = 2;
        smooth(values, smoothed, i);
        Kokkos::Array<double, 3> const corner = {1.0, 2.0, smoothed[i % 8]};
        double const& last = corner[2];
        Square const square(last);
        Circle const circle(corner[i % 2]);
        Shape const* shapes[2] = {&square, &circle};
        y(i) = shapes[i % 2]->area() + names[i % 3] - 'a';
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(0) == 4 && host(1) == 13 && host(2) == 6 ? 0 : 1;
}
