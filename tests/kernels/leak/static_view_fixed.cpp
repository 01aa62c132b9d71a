// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: leak_check=full
// EXPECT-NONE
#include <Kokkos_Core.hpp>

namespace {
Kokkos::View<double*> table;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::push_finalize_hook([] { table = {}; });
  table = Kokkos::View<double*>("table", 32);
  auto const t = table;
  Kokkos::parallel_for(
      "table", 32, KOKKOS_LAMBDA(int i) { t(i) = i * 0.5; });
  Kokkos::fence();
}
