// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Particles of the second half are counted into cells that were set to zero, or to which the lane stores before.
#include <Kokkos_Core.hpp>

#include <string>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 4096, begin = n / 2;
  auto const raw = [](std::string const& label) { return Kokkos::view_alloc(label, Kokkos::WithoutInitializing); };
  Kokkos::View<int*> cells(raw("cells"), n), states(raw("states"), n);
  Kokkos::View<int> total(raw("total"));
  Kokkos::View<double*> weights(raw("weights"), n), largest(raw("largest"), 8);
  Kokkos::View<char*> marks(raw("marks"), n);
  Kokkos::View<int*> seen("seen", n);
  Kokkos::deep_copy(cells, 0);
  Kokkos::deep_copy(total, 0);
  Kokkos::deep_copy(largest, 0.);
  Kokkos::deep_copy(marks, 0);
  Kokkos::parallel_for(
      "count", n, KOKKOS_LAMBDA(int i) {
        if (i < begin) return;
        Kokkos::atomic_add(&cells(i), 1);
        Kokkos::atomic_add(&total(), 1);
        Kokkos::atomic_store(&weights(i), 0.);
        Kokkos::atomic_add(&weights(i), 0.5);
        Kokkos::atomic_max(&largest(i % 8), 1.0 * i);
        Kokkos::atomic_inc(&marks(i));
        states(i) = 1;
        seen(i) = Kokkos::atomic_load(&states(i));
      });
  Kokkos::fence();
}
