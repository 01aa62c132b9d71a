// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A race, in a program that holds other versions of the libraries that the runtime is made with (other_libraries.cpp).
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string>

std::string answer_of_other_library();

int main(int argc, char** argv) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 64);
  Kokkos::parallel_for("adds", 64, KOKKOS_LAMBDA(int i) { x(i / 8) += 1; });
  Kokkos::fence();
  std::puts(answer_of_other_library().c_str());
}
