// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A View keeps the table in device memory.
#include <Kokkos_Core.hpp>

#include <vector>

struct Lookup {
  Kokkos::View<double*> table;
  Kokkos::View<double*> y;
  KOKKOS_FUNCTION void operator()(int i) const {
    double const value = table[i % 8];
    y(i) = value;
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> y("y", 32);
  Kokkos::parallel_for("lookup", 32, Lookup{Kokkos::View<double*>("table", 8), y});
  Kokkos::fence();
}
