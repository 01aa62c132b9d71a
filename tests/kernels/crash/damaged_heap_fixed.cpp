// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The host frees the block, once.
#include <Kokkos_Core.hpp>

#include <cstdlib>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  void* const block = std::malloc(5000);
  void* const behind = std::malloc(5000);
  Kokkos::View<int*> done("done", 16);
  Kokkos::parallel_for(
      "release", 16, KOKKOS_LAMBDA(int i) {

        done(i) = 1;
      });
  Kokkos::fence();
  std::free(block);
  std::free(behind);
}
