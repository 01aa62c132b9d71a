// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane frees a block of the host's twice: the C library finds out while it holds the lock of its heap.
#include <Kokkos_Core.hpp>

#include <cstdlib>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  void* const block = std::malloc(5000);
  void* const behind = std::malloc(5000);
  Kokkos::View<int*> done("done", 16);
  Kokkos::parallel_for(
      "release", 16, KOKKOS_LAMBDA(int i) {
        if (i == 7 || i == 9) std::free(block);  // EXPECT: crash
        done(i) = 1;
      });
  Kokkos::fence();
  std::free(behind);
}
