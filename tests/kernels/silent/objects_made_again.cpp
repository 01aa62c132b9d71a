// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Objects that the host has made, for itself, are made again by a kernel where they lie, each by an iteration of its own,
// before another kernel calls their virtual functions.
#include <Kokkos_Core.hpp>

#include <new>

struct Shape {
  KOKKOS_FUNCTION virtual double area() const = 0;
};
struct Square : Shape {
  double side;
  KOKKOS_FUNCTION explicit Square(double side_) : side(side_) {}
  KOKKOS_FUNCTION double area() const override { return side * side; }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 4000;
  auto* const shapes = static_cast<Square*>(Kokkos::kokkos_malloc<Kokkos::SharedSpace>("shapes", n * sizeof(Square)));
  for (int i = 0; i < n; ++i) new (shapes + i) Square(2);
  Kokkos::View<double*> areas("areas", n);
  Kokkos::parallel_for("make", n, KOKKOS_LAMBDA(int i) { new (shapes + i) Square(3); });
  Kokkos::parallel_for(
      "areas", n, KOKKOS_LAMBDA(int i) {
        Shape const* const shape = shapes + i;
        areas(i) = shape->area();
      });
  Kokkos::fence();
  Kokkos::kokkos_free<Kokkos::SharedSpace>(shapes);
}
