// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any of several marks will do: each is stored by an atomic, in the first block and in a later one.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int> mark("mark");
  Kokkos::View<int*> keys("keys", n);
  Kokkos::parallel_for("find", n, KOKKOS_LAMBDA(int i) {
    bool const last = i == 3000;
    if (!last && keys(i) == 0 && i < 64) Kokkos::atomic_store(&mark(), 7);
    if (last && keys(i) == 0) Kokkos::atomic_store(&mark(), 8);
  });
  Kokkos::fence();
}
