// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A plug-in with a kernel that races, all of whose functions but one are hidden.
#include <Kokkos_Core.hpp>

#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)

extern "C" [[gnu::visibility("default")]] void run_plugin() {
  Kokkos::View<int*> x("x of " TEXT(PLUGIN), 64);
  Kokkos::parallel_for("adds of " TEXT(PLUGIN), 64, KOKKOS_LAMBDA(int i) { x(i / 8) += 1; });
  int sum = 0;
  Kokkos::parallel_reduce("sums of " TEXT(PLUGIN), 64, KOKKOS_LAMBDA(int i, int& s) { s += x(i); }, sum);
  Kokkos::fence();
}
