// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The result is in a View, which the host copies back.
#include <Kokkos_Core.hpp>

struct Largest {
  Kokkos::View<int const*> x;
  Kokkos::View<int> largest;
  KOKKOS_FUNCTION void operator()(int i) const {
    if (i == 3) largest() = x(i);
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> x("x", 20);
  Kokkos::View<int> largest("largest");
  Kokkos::parallel_for("largest", 20, Largest{x, largest});
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), largest);
  return host() > 0;
}
