// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Device memory is written by deep_copy, from mirrors, subviews and views of another layout, and read by
// kernels.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 24;
  using Right = Kokkos::View<double**, Kokkos::LayoutRight>;
  using Left = Kokkos::View<double**, Kokkos::LayoutLeft>;
  Right right(Kokkos::view_alloc("right", Kokkos::WithoutInitializing), n, n);
  Left left(Kokkos::view_alloc("left", Kokkos::WithoutInitializing), n, n);
  auto host = Kokkos::create_mirror_view(right);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) host(i, j) = i * n + j;
  }
  Kokkos::deep_copy(right, host);
  Kokkos::deep_copy(left, right);
  Kokkos::deep_copy(Kokkos::subview(left, 3, Kokkos::ALL), -1.0);
  auto row = Kokkos::subview(right, 5, Kokkos::make_pair(4, 10));
  Kokkos::View<double*> piece(Kokkos::view_alloc("piece", Kokkos::WithoutInitializing), 6);
  Kokkos::deep_copy(piece, row);
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", n, KOKKOS_LAMBDA(int j, double& update) { update += left(3, j) + piece(j % 6); }, sum);
  double expected = -n;
  for (int j = 0; j < n; ++j) expected += 5 * n + 4 + j % 6;
  Kokkos::resize(piece, 12);
  Kokkos::parallel_for(
      "grown", 12, KOKKOS_LAMBDA(int i) { piece(i) += 1; });
  Kokkos::fence();
  return sum == expected ? 0 : 1;
}
