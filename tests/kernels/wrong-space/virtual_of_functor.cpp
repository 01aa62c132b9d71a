// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NEEDS: the plug-in
// A functor holds a filter by value, and calls it as what it is derived from.
// EXPECT-OUTPUT: a lane calls a virtual function of an object that the host made
// EXPECT-OUTPUT: the kernel's own copy of its functor
#include <Kokkos_Core.hpp>

struct Filter {
  KOKKOS_FUNCTION virtual double operator()(double x) const = 0;
};
struct Cut : Filter {
  double most = 3;
  KOKKOS_FUNCTION double operator()(double x) const override { return x < most ? x : most; }
};

[[gnu::noinline]] KOKKOS_FUNCTION double twice(Filter const& filter, double x) {
  return filter(2 * x);  // EXPECT: wrong-space
}

struct Apply {
  Kokkos::View<double*> y;
  Cut cut;
  KOKKOS_FUNCTION void operator()(int i) const { y(i) = twice(cut, i); }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> y("y", 500);
  Kokkos::parallel_for("apply", 500, Apply{y, {}});
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(499) == 3 ? 0 : 1;
}
