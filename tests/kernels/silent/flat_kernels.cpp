// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Kernels of ranges as programs have most of: streams, stencils, gathers, sparse products, histograms, sums, structs, bytes,
// and words that an iteration reads, writes and reads again.
#include <Kokkos_Core.hpp>

namespace {
struct Particle {
  double x;
  int kind;  // and padding
};
}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 20'000, m = 150;
  Kokkos::View<double*> x("x", n), y("y", n), values("values", 5 * n);
  Kokkos::View<double*> fresh(Kokkos::view_alloc("fresh", Kokkos::WithoutInitializing), n);
  Kokkos::View<int*> columns("columns", 5 * n), bins("bins", 64), slots("slots", n);
  Kokkos::View<int> next("next");
  Kokkos::View<double**> u("u", m, m), v("v", m, m);
  Kokkos::View<Particle*> from(Kokkos::view_alloc("from", Kokkos::WithoutInitializing), n), to("to", n);
  Kokkos::View<char*> marks("marks", n);
  Kokkos::View<float*> halves("halves", 2 * n);
  using Grid = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
  double sum = 0;
  for (int repeat = 0; repeat != 40; ++repeat) {  // longer than what is known of launches is told apart
    Kokkos::parallel_for(
        "columns", n, KOKKOS_LAMBDA(int i) {
          for (int k = 0; k < 5; ++k) columns(i * 5 + k) = (i + (k - 2) * 611 + n) % n;
          x(i) += i;
          fresh(i) = x(i);
          fresh(i) += 1;
        });
    Kokkos::parallel_for(
        "product", n, KOKKOS_LAMBDA(int i) {
          double s = 0;
          for (int k = 0; k < 5; ++k) s += values(i * 5 + k) * x(columns(i * 5 + k)) + fresh((i * 977) % n);
          y(i) = s;
        });
    Kokkos::parallel_for(
        "stencil", Grid({1, 1}, {m - 1, m - 1}), KOKKOS_LAMBDA(int i, int j) {
          v(i, j) = u(i, j) + u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1);
        });
    Kokkos::deep_copy(u, v);
    Kokkos::parallel_for(
        "count", n, KOKKOS_LAMBDA(int i) {
          Kokkos::atomic_inc(&bins(columns(i) % 64));
          slots(Kokkos::atomic_fetch_add(&next(), 1) % n) = i;
        });
    Kokkos::parallel_for(
        "structs", n, KOKKOS_LAMBDA(int i) {
          from(i).x = i;
          from(i).kind = i;
          to(i) = from(i);
        });
    Kokkos::parallel_for(
        "parts", n, KOKKOS_LAMBDA(int i) {
          halves(2 * i) = halves(2 * i + 1);
          if (i >= 4096) marks(i) = 1;
        });
    Kokkos::parallel_reduce("sum", n, KOKKOS_LAMBDA(int i, double& s) { s += x(i) * y(i) + marks(i); }, sum);
    Kokkos::deep_copy(next, 0);
  }
  return sum < 0;
}
