// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A std::vector in the functor keeps its elements in host memory.
#include <Kokkos_Core.hpp>

#include <vector>

struct Lookup {
  std::vector<double> table;
  Kokkos::View<double*> y;
  KOKKOS_FUNCTION void operator()(int i) const {
    double const value = table[i % 8];  // EXPECT: wrong-space
    y(i) = value;
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> y("y", 32);
  Kokkos::parallel_for("lookup", 32, Lookup{std::vector<double>(8, 0.5), y});
  Kokkos::fence();
}
