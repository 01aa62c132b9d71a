// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The function is one that lanes have.
#include <Kokkos_Core.hpp>

struct Function {
  double (*call)(double);
};

KOKKOS_FUNCTION double twice(double x) { return 2 * x; }

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> y("y", 4);
  Kokkos::View<Function> function("function");
  Kokkos::parallel_for("choose", 1, KOKKOS_LAMBDA(int) { function().call = twice; });
  Kokkos::parallel_for(
      "apply", 4, KOKKOS_LAMBDA(int i) {
        double (*const f)(double) = function().call;
        y(i) = f(i);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(3) != 6;
}
