// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// It is read once the kernel has ended.
#include <Kokkos_Core.hpp>

#include <fcntl.h>
#include <unistd.h>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<int*, Kokkos::SharedSpace> block("block", n);
  Kokkos::View<int*> sum("sum", n);
  Kokkos::fence();
  int const source = open("/dev/zero", O_RDONLY);
  bool all = true;
  for (int round = 0; round < 2; ++round) {
    all &= read(source, block.data(), n * sizeof(int)) == static_cast<ssize_t>(n * sizeof(int));
    Kokkos::parallel_for(
        "add", n, KOKKOS_LAMBDA(int i) {
          sum(i) += block(i);
        });
    Kokkos::fence();
  }
  close(source);
  return all ? 0 : 1;
}
