// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes "before " and no line end, runs a kernel whose lane waits for a file `go` and then writes, and writes "after".
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <unistd.h>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const guard(argc, argv);
  std::printf("before ");
  std::fflush(stdout);
  Kokkos::parallel_for("waits", 1, KOKKOS_LAMBDA(int) {
    while (::access("go", F_OK) != 0) ::usleep(1000);
    std::printf("from a lane\n");
  });
  std::printf("after\n");
}
