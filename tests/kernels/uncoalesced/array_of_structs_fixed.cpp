// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// array_of_structs.cpp with an array for each member.
// OPTIONS: check=coalesce:device=h100:fail_on=uncoalesced
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1024;
  Kokkos::View<float*> mass("mass", n);
  Kokkos::parallel_for("weigh", n, KOKKOS_LAMBDA(int i) { mass(i) = 1; });
}
