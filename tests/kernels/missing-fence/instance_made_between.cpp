// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The second kernel's instance is made in the call that launches it. That is not the first kernel's, and making one waits for
// nothing: it reads what the first may still write.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 10'000;
  Kokkos::View<double*> x("x", n), y("y", n);
  Kokkos::parallel_for(
      "produce", n, KOKKOS_LAMBDA(int i) {
        x(i) = i;  // EXPECT: missing-fence
      });
  Kokkos::parallel_for(
      "consume",
      Kokkos::RangePolicy<>(Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1)[0], 0, n),
      KOKKOS_LAMBDA(int i) {
        y(i) = x(n - 1 - i);  // EXPECT: missing-fence
      });
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(0) == n - 1 ? 0 : 1;
}
