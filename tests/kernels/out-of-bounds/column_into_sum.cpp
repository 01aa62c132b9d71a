// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last block of columns may begin behind the last one. What lies there is the View that the kernel adds to: the reads race
// with its atomics, and that is no fault of its own.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 50, columns = 42, blocks = 16, each = 3;
  Kokkos::View<double**, Kokkos::LayoutLeft> a("a", rows, columns);
  Kokkos::View<double*> y("y", 2 * rows);
  Kokkos::deep_copy(a, 1);
  Kokkos::parallel_for("product", Policy(1, 32 * blocks), KOKKOS_LAMBDA(Member const& team) {
    int const row = team.team_rank() % 32, first = team.team_rank() / 32 * each;
    double sum = 0;
    for (int c = first; c < first + each; ++c) {
      if (c == columns) break;
      double const value = a(row, c);  // EXPECT: out-of-bounds global-race?
      sum += value;
    }
    Kokkos::atomic_add(&y(row), sum);  // ALLOW: global-race
  });
  Kokkos::fence();
}
