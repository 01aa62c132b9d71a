// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Updates as Fix has them.
#include <Kokkos_Core.hpp>

template <class T>
struct Pair {};

template <int a, int b>
KOKKOS_INLINE_FUNCTION double weight(int i) {
  return a * i + b;
}

struct Cells {
  Kokkos::View<double*> all;
  template <int row, class Kind>
  KOKKOS_FUNCTION double& at(int i) const {
    return all(8 * row + i);
  }
};

template <class Where>
KOKKOS_FORCEINLINE_FUNCTION void count(Where const& cells, int i) {
  Kokkos::atomic_add(&cells.template at<0, Pair<int>>(i % 8), 1);
  Kokkos::atomic_inc(&cells.template at<1, Pair<int>>(i % 8));
  double* const p = &cells.all(16 + i % 8);
  Kokkos::atomic_add(p, weight<2, 3>(i));
  if (i > 2) Kokkos::atomic_sub(&cells.all(24 + i % 8), i);
  Kokkos::atomic_max(&cells.all(32 + i % 8), static_cast<double>(i));
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Cells const cells{Kokkos::View<double*>("all", 40)};
  Kokkos::parallel_for("count", 640, KOKKOS_LAMBDA(int i) { count(cells, i); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), cells.all);
  return host(0) == 80 && host(8) == 80 && host(39) == 639 ? 0 : 1;
}
