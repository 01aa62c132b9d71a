// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: leak_check=full
// EXPECT-NONE
#include <Kokkos_Core.hpp>

#include <cstdlib>

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  {
    Kokkos::View<int*> const count("count", 20);
    Kokkos::parallel_for(
        "count", 20, KOKKOS_LAMBDA(int i) { count(i) = i; });
  }
  Kokkos::finalize();
  std::exit(0);
}
