// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The lane counts bad input in a reduction, and the host throws.
#include <Kokkos_Core.hpp>

#include <stdexcept>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 16);
  int bad = 0;
  Kokkos::parallel_reduce(
      "check", 16, KOKKOS_LAMBDA(int i, int& sum) { sum += x(i) == 0; }, bad);
  try {
    if (bad > 0) throw std::runtime_error("zero found");
  } catch (std::runtime_error const&) {
    return bad == 16 ? 0 : 1;
  }
}
