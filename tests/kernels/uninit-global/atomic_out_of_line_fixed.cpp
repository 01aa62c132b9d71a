// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Both are filled first: atomics whose functions are not in line, as in a build without optimisation.
#include <Kokkos_Core.hpp>

struct Add {
  Kokkos::View<double*> sums, most;
  KOKKOS_FUNCTION void operator()(int i) const {
    void (*volatile add)(double*, double) = Kokkos::atomic_add<double>;
    void (*volatile max)(double*, double) = Kokkos::atomic_max<double>;
    add(&sums(i % 8), 1.0);
    max(&most(i % 8), 2.0 * i);
    add(&most(i % 8), 1.0);
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<double*> sums("sums", 8);
  Kokkos::View<double*> most("most", 8);
  Kokkos::parallel_for("add", 256, Add{sums, most});
  Kokkos::fence();
}
