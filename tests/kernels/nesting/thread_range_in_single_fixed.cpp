// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The whole team comes to the range.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 8;
  Kokkos::View<int*> y("y", rows);
  Kokkos::parallel_for(
      "rows", Policy(1, rows), KOKKOS_LAMBDA(Policy::member_type const& team) {
        auto const range = Kokkos::TeamThreadRange(team, rows);
        Kokkos::parallel_for(range, [&](int i) { y(i) = i + 1; });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(0) == 1 && host(1) == 2 ? 0 : 1;
}
