// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The right twin: each call adds its width to what is there.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  int const rows = 12, columns = 100;
  Kokkos::View<int**> width("width", rows, columns), place("place", rows, columns);
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {rows, columns}),
      KOKKOS_LAMBDA(int i, int j) { width(i, j) = (i * 5 + j * 3) % 5; });
  Kokkos::parallel_for(
      "places", Policy(rows, 16), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const row = team.league_rank();
        Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, columns), [&](int j, int& update, bool final) {
          if (final) place(row, j) = update;
          update += width(row, j);
        });
      });
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), place)(1, 1) < 0;
}
