// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include <cstdlib>

/// With TWINS_RACE, by a kernel that races.
int parts() {
  if (std::getenv("TWINS_RACE") == nullptr) return 1;
  Kokkos::ScopeGuard const kokkos;
  Kokkos::View<int> sum("sum");
  Kokkos::parallel_for("parts", 64, KOKKOS_LAMBDA(int) { sum() += 1; });
  Kokkos::fence();
  return 1;
}
