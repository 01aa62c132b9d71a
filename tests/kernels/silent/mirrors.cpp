// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: check=all,stale-copy
// EXPECT-NONE
// Mirrors used right: filled and copied before each kernel that reads; one that several Views are filled from; results that
// come back and are changed by the host while kernels write the View anew; parts that no kernel reads.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1000;
  Kokkos::View<int*> a("a", n), b("a", n), sums("sums", n);
  auto const filled = Kokkos::create_mirror_view(a);
  auto const results = Kokkos::create_mirror_view(sums);
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < n; ++i) filled(i) = i + round;
    Kokkos::deep_copy(a, filled);
    for (int i = 0; i < n; ++i) filled(i) = -i;
    Kokkos::deep_copy(b, filled);
    Kokkos::parallel_for(
        "sum", n, KOKKOS_LAMBDA(int i) { sums(i) = a(i) + b(i); });
    Kokkos::deep_copy(results, sums);
    for (int i = 0; i < n; ++i) {
      if (results(i) != round) return 1;
      results(i) = 0;
    }
    // The other half of b's mirror is another's by now.
    for (int i = n / 2; i < n; ++i) filled(i) = 7;
    Kokkos::parallel_for(
        "half", n / 2, KOKKOS_LAMBDA(int i) { sums(i) = b(i); });
  }
  Kokkos::fence();
  return 0;
}
