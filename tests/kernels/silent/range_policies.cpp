// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Loops, reductions and scans over ranges of one to three dimensions, each reading what the one before it
// wrote.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 300;
  Kokkos::View<int*> x(Kokkos::view_alloc("x", Kokkos::WithoutInitializing), n);
  Kokkos::View<int*> offsets("offsets", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { x(i) = i % 3; });
  int total = 0;
  Kokkos::parallel_scan(
      "scan", n,
      KOKKOS_LAMBDA(int i, int& update, bool final_pass) {
        if (final_pass) offsets(i) = update;
        update += x(i);
      },
      total);
  Kokkos::View<int> sum("sum");
  Kokkos::parallel_reduce(
      "reduce", n, KOKKOS_LAMBDA(int i, int& update) { update += x(i); }, sum);
  Kokkos::View<int***> box("box", 5, 6, 7);
  Kokkos::parallel_for(
      "box", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {5, 6, 7}),
      KOKKOS_LAMBDA(int i, int j, int k) { box(i, j, k) = i + j + k + sum(); });
  int smallest = 0;
  Kokkos::parallel_reduce(
      "smallest", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {5, 6, 7}),
      KOKKOS_LAMBDA(int i, int j, int k, int& update) {
        if (box(i, j, k) < update) update = box(i, j, k);
      },
      Kokkos::Min<int>(smallest));
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), offsets);
  return total == n && smallest == n && host(n - 1) == n - 2 ? 0 : 1;
}
