// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The grid goes along with each kernel; a global without writes may stay where it is.
#include <Kokkos_Core.hpp>

namespace {

struct Grid {
  double origin, step;
  int first, last;
};
constexpr Grid grid{0.5, 0.25, 2, 90};

KOKKOS_INLINE_FUNCTION double place_of(Grid const& of, int i) { return of.origin + (i - of.first) * of.step; }

struct Place {
  Kokkos::View<double*> place;
  Grid of;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (i >= of.last) return;
    place(i) = place_of(of, i);
    place(i) += of.step;
  }
};

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<double*> place("place", 100);
  Kokkos::parallel_for("place", 100, Place{place, grid});
  Kokkos::parallel_for(
      "place_all", 100, KOKKOS_LAMBDA(int i) { place(i) = place_of(grid, i); });
  Kokkos::fence();
}
