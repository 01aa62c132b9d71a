// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program that leaves by exit() without Kokkos::finalize: what its main still had is told, with that reason.
// OPTIONS: leak_check=full
// EXPECT-OUTPUT: 1 allocation, 80 bytes: there at the program's end, and Kokkos::finalize was\s+never\s+called
#include <Kokkos_Core.hpp>

#include <cstdlib>

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  Kokkos::View<int*> const count("count", 20);  // EXPECT: leak
  Kokkos::parallel_for(
      "count", 20, KOKKOS_LAMBDA(int i) { count(i) = i; });
  Kokkos::fence();
  std::exit(0);
}
