// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A View with static storage: its destructor comes after Kokkos::finalize, and Kokkos ends the program there.
// OPTIONS: leak_check=full
// EXPECT-EXIT: 66
// EXPECT-OUTPUT: device memory outlives Kokkos::finalize
// EXPECT-OUTPUT: the variable .*table holds it
// EXPECT-OUTPUT: Kokkos ends a program that destroys a View after Kokkos::finalize
// EXPECT-OUTPUT: assign an empty View to .*table\s+before\s+Kokkos::finalize
#include <Kokkos_Core.hpp>

namespace {
Kokkos::View<double*> table;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  table = Kokkos::View<double*>("table", 32);  // EXPECT: leak
  auto const t = table;
  Kokkos::parallel_for(
      "table", 32, KOKKOS_LAMBDA(int i) { t(i) = i * 0.5; });
  Kokkos::fence();
}
