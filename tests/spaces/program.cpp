// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on the simulated GPU and beside it: program host|gpu|both|own.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string>

#include "uninstrumented.hpp"

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;

/// As a project does that picks its backend by KOKKOS_ENABLE_...; the race is nobody's to see.
void on_host() {
  Kokkos::View<int*, Host> x("x", 8);
  for (int repeat = 0; repeat < 2; ++repeat)
    Kokkos::parallel_for("host race", Kokkos::RangePolicy<Host>(0, 100), KOKKOS_LAMBDA(int i) { x(i % 8) += 1; });
  int sum = 0;
  Kokkos::parallel_reduce("host sum", Kokkos::RangePolicy<Host>(0, 8), KOKKOS_LAMBDA(int i, int& part) { part += x(i); }, sum);
}

void on_gpu() {
  Kokkos::View<int*> x("x", 100);
  Kokkos::parallel_for("gpu", x.extent(0), KOKKOS_LAMBDA(int i) { x(i) = i; });
}

/// What Kokkos launches on the host to make, fill and copy Views is not the program's.
void kokkos_own() {
  struct Element {
    int value = 3;
  };
  Kokkos::View<Element*, Kokkos::HostSpace> a("a", 2000), b("b", 2000);
  Kokkos::deep_copy(b, a);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> c("c", 300, 40);
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> d("d", 300, 40);
  Kokkos::deep_copy(c, 1.5);
  Kokkos::deep_copy(d, c);
}

}  // namespace

int main(int argc, char* argv[]) {
  std::string const mode = argc > 1 ? argv[1] : "";
  Kokkos::ScopeGuard kokkos(argc, argv);
  if (mode == "host" || mode == "both") on_host();
  if (mode == "gpu" || mode == "both") on_gpu();
  if (mode == "own" || mode == "gpu") kokkos_own();
  std::printf("%d\n", uninstrumented(Kokkos::Stranger{}));
}
