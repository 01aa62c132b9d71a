// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane calls through a function pointer that was never set.
#include <Kokkos_Core.hpp>

struct Function {
  double (*call)(double);
};

KOKKOS_FUNCTION double twice(double x) { return 2 * x; }

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> y("y", 4);
  Kokkos::View<Function> function("function");
  Kokkos::parallel_for("choose", 1, KOKKOS_LAMBDA(int) { function().call = reinterpret_cast<double (*)(double)>(4096); });
  // EXPECT-OUTPUT: the address was 0x1000: 4,096 bytes past a null pointer
  Kokkos::parallel_for(
      "apply", 4, KOKKOS_LAMBDA(int i) {
        double (*const f)(double) = function().call;
        y(i) = f(i);  // EXPECT: crash
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(3) != 6;
}
