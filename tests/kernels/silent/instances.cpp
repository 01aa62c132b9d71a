// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Kernels in several execution space instances, unfenced: on disjoint parts of one View, with common input, with
// atomics on common counters; then Kokkos' own fences: making Views, copies without instance, reductions into scalars.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 301;  // the halves meet within a word's line
  auto const instances = Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace(), 1, 1, 1);
  Kokkos::View<int*> x("x", n), input("input", n);
  Kokkos::View<char*> bytes("bytes", n);
  Kokkos::View<int> count("count");
  Kokkos::View<int*, Kokkos::SharedSpace> shared("shared", 2 * n);
  Kokkos::deep_copy(input, 3);
  int const parts[] = {0, 100, 151, n};
  for (int p = 0; p < 3; ++p)
    Kokkos::parallel_for(
        "part", Kokkos::RangePolicy<>(instances[p], parts[p], parts[p + 1]), KOKKOS_LAMBDA(int i) {
          x(i) += input(i) + input(n - 1 - i);
          bytes(i) = 1;
          Kokkos::atomic_inc(&count());
          shared(i) = i;
        });
  for (int i = n; i < 2 * n; ++i) shared(i) = i;  // the host's own half
  Kokkos::View<int*, Kokkos::SharedSpace> fresh("fresh", n);
  int sum = fresh(0);
  Kokkos::fence();
  Kokkos::parallel_for(
      "all", n, KOKKOS_LAMBDA(int i) { fresh(i) = x(i) + bytes(i) + count() + shared(i) - shared(i); });
  auto const mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), fresh);
  sum += mirror(0) + fresh(1);
  Kokkos::parallel_scan(
      "scan", n, KOKKOS_LAMBDA(int i, int& update, bool last) {
        if (last) fresh(i) = update;
        update += 1;
      });
  int last = 0;
  Kokkos::parallel_reduce(
      "last", n, KOKKOS_LAMBDA(int i, int& most) { most = most < fresh(i) ? fresh(i) : most; }, Kokkos::Max<int>(last));
  sum += fresh(2);
  return sum == 2 * (6 + 1 + n) + 2 && last == n - 1 ? 0 : 1;
}
