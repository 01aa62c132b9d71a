// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics on memory that nothing has written, whose functions are not in line, as in a build without optimisation: the line of
// the call is named, not one of Kokkos' headers, and two calls are two findings.
#include <Kokkos_Core.hpp>

struct Add {
  Kokkos::View<double*> sums, most;
  KOKKOS_FUNCTION void operator()(int i) const {
    void (*volatile add)(double*, double) = Kokkos::atomic_add<double>;
    void (*volatile max)(double*, double) = Kokkos::atomic_max<double>;
    add(&sums(i % 8), 1.0);      // EXPECT: uninit-global
    max(&most(i % 8), 2.0 * i);  // EXPECT: uninit-global
    add(&most(i % 8), 1.0);
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<double*> sums(Kokkos::view_alloc(Kokkos::WithoutInitializing, "sums"), 8);
  Kokkos::View<double*> most(Kokkos::view_alloc(Kokkos::WithoutInitializing, "most"), 8);
  Kokkos::parallel_for("add", 256, Add{sums, most});
  Kokkos::fence();
}
