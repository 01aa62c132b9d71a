// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// It is sent once the kernel has ended.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 2000;
  Kokkos::View<double*, Kokkos::SharedSpace> buffer("buffer", n), log("log", n);
  Kokkos::fence();
  Kokkos::parallel_for(
      "pack", n, KOKKOS_LAMBDA(int i) {
        buffer(i) = 2 * i;
        log(i) = i;
      });
  Kokkos::fence();
  int const wire = open("/dev/null", O_WRONLY);
  bool const sent = write(wire, buffer.data(), n * sizeof(double)) > 0;
  close(wire);
  std::FILE* const file = std::fopen("/dev/null", "w");
  bool const logged = std::fwrite(log.data(), sizeof(double), n, file) > 0;
  std::fclose(file);
  return sent && logged ? 0 : 1;
}
