// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A lane frees a block of the host's twice: the C library finds out while it holds the lock of its heap. (Twice in a row: by
// the second time nobody else may have got the block, who would crash later and elsewhere.)
#include <Kokkos_Core.hpp>

#include <cstdlib>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  void* const block = std::malloc(5000);
  void* const behind = std::malloc(5000);
  Kokkos::View<int*> done("done", 16);
  Kokkos::parallel_for(
      "release", 16, KOKKOS_LAMBDA(int i) {
        for (int times = i == 9 ? 2 : 0; times != 0; --times) std::free(block);  // EXPECT: crash
        done(i) = 1;
      });
  Kokkos::fence();
  std::free(behind);
}
