// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A nested maximum: each iteration of the range begins anew, and what the thread has found before is dropped.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  int const rows = 20, columns = 300;
  Kokkos::View<int**> a("a", rows, columns);
  Kokkos::View<int*> largest("largest", rows);
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {rows, columns}),
      KOKKOS_LAMBDA(int i, int j) { a(i, j) = (i * 31 + j * 17) % 101; });
  Kokkos::parallel_for(
      "rows", Policy(rows, 32), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const row = team.league_rank();
        int most = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, columns), [&](int j, int& sofar) {
              sofar = 0;  // EXPECT: lost-contribution
              if (a(row, j) > sofar) sofar = a(row, j);
            },
            Kokkos::Max<int>(most));
        Kokkos::single(Kokkos::PerTeam(team), [&] { largest(row) = most; });
      });
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), largest)(3) > 100;
}
