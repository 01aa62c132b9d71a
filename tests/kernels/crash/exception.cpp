// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane throws: on a GPU nobody could catch it.
#include <Kokkos_Core.hpp>

#include <stdexcept>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 16);
  Kokkos::parallel_for(
      "check", 16, KOKKOS_LAMBDA(int i) {
        if (x(i) == 0) throw std::runtime_error("zero found");  // EXPECT: crash
      });
  Kokkos::fence();
}
