// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Particles of the second half are counted into cells that nobody has set to zero: the blocks of iterations before them touch
// none of the counters. Sums, maxima and bytes are updated, one by many lanes, and a state is looked at by an atomic load.
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
  Kokkos::parallel_for(
      "count", n, KOKKOS_LAMBDA(int i) {
        if (i < begin) return;
        Kokkos::atomic_add(&cells(i), 1);              // EXPECT: uninit-global
        Kokkos::atomic_add(&total(), 1);               // EXPECT: uninit-global
        Kokkos::atomic_add(&weights(i), 0.5);          // EXPECT: uninit-global
        Kokkos::atomic_max(&largest(i % 8), 1.0 * i);  // EXPECT: uninit-global
        Kokkos::atomic_inc(&marks(i));                 // EXPECT: uninit-global
        seen(i) = Kokkos::atomic_load(&states(i));     // EXPECT: uninit-global
      });
  Kokkos::fence();
}
