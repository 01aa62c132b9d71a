// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The next block is read into a buffer that the kernel may still read.
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
    all &= read(source, block.data(), n * sizeof(int)) == static_cast<ssize_t>(n * sizeof(int));  // EXPECT: missing-fence
    Kokkos::parallel_for(
        "add", n, KOKKOS_LAMBDA(int i) {
          sum(i) += block(i);  // EXPECT: missing-fence
        });
  }
  close(source);
  return all ? 0 : 1;
}
