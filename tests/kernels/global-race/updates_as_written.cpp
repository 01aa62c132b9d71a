// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Updates as programs write them: Fix says of each what is to stand in its place, and that compiles.
// EXPECT-OUTPUT: Kokkos::atomic_add\(&cells\.template\s+at<0,\s+Pair<int>>\(i\s+%\s+8\),\s+1\)
// EXPECT-OUTPUT: Kokkos::atomic_inc\(&cells\.template\s+at<1,\s+Pair<int>>\(i\s+%\s+8\)\)
// EXPECT-OUTPUT: Kokkos::atomic_add\(p,\s+weight<2,\s+3>\(i\)\)
// EXPECT-OUTPUT: Kokkos::atomic_sub\(&cells\.all\(24\s+\+\s+i\s+%\s+8\),\s+i\)
// EXPECT-OUTPUT: Kokkos::atomic_max\(&cells\.all\(32\s+\+\s+i\s+%\s+8\),\s+static_cast<double>\(i\)\)
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
  cells.template at<0, Pair<int>>(i % 8) += 1;    // EXPECT: global-race
  ++cells.template at<1, Pair<int>>(i % 8);       // EXPECT: global-race
  double* const p = &cells.all(16 + i % 8);
  *p += weight<2, 3>(i);                          // EXPECT: global-race
  if (i > 2)cells.all(24 + i % 8) -= i;           // EXPECT: global-race
  cells.all(32 + i % 8) = Kokkos::fmax(cells.all(32 + i % 8), static_cast<double>(i));  // EXPECT: global-race
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Cells const cells{Kokkos::View<double*>("all", 40)};
  Kokkos::parallel_for("count", 640, KOKKOS_LAMBDA(int i) { count(cells, i); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), cells.all);
  return host(0) < 0;
}
