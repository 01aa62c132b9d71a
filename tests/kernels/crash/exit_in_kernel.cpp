// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane ends the program: its exit handlers would run on a lane.
#include <Kokkos_Core.hpp>

#include <cstdlib>

void at_exit() {
  if (Kokkos::is_initialized()) std::abort();
}

int main(int argc, char* argv[]) {
  std::atexit(at_exit);
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 64);
  Kokkos::parallel_for(
      "check", 64, KOKKOS_LAMBDA(int i) {
        if (x(i) == 0 && i > 40) std::exit(0);  // EXPECT: crash
      });
  Kokkos::fence();
}
