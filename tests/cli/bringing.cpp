// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A program that brings options of its own: what BRINGS in its environment says. One of its two kernels has a race.
#include <Kokkos_Core.hpp>

#include <cstdlib>

extern "C" char const* teamsan_default_options() { return std::getenv("BRINGS"); }

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<int*> x("x", 100);
  Kokkos::parallel_for("right", 100, KOKKOS_LAMBDA(int i) { x(i) = i; });
  Kokkos::parallel_for("racy", 100, KOKKOS_LAMBDA(int i) { x(i % 7) = i; });
}
