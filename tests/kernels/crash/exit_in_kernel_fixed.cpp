// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The host ends the program, after the kernel.
#include <Kokkos_Core.hpp>

#include <cstdlib>

void at_exit() {
  if (Kokkos::is_initialized()) std::abort();
}

int main(int argc, char* argv[]) {
  std::atexit(at_exit);
  int negative = 0;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    Kokkos::View<int*> x("x", 64);
    Kokkos::parallel_reduce("check", 64, KOKKOS_LAMBDA(int i, int& count) { count += x(i) < 0; }, negative);
  }
  if (negative == 0) std::exit(0);
}
