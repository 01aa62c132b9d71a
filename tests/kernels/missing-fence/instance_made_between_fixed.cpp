// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first kernel is fenced before an instance is made for the second one. What a third one does just before another
// instance is made is no other kernel's business.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 10'000;
  Kokkos::View<double*> x("x", n), y("y", n), z("z", n);
  Kokkos::parallel_for("produce", n, KOKKOS_LAMBDA(int i) { x(i) = i; });
  Kokkos::fence();
  Kokkos::parallel_for("beside", n, KOKKOS_LAMBDA(int i) { z(i) = x(i) + 1; });
  Kokkos::parallel_for(
      "consume",
      Kokkos::RangePolicy<>(Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1)[0], 0, n),
      KOKKOS_LAMBDA(int i) { y(i) = x(n - 1 - i); });
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(0) == n - 1 ? 0 : 1;
}
