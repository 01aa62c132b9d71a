// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A line's sum is a variable of its own, and is added to the plane's.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  int const planes = 6, lines = 40, n = 16;
  Kokkos::View<double***> w("w", planes, lines, n);
  Kokkos::View<double*> of_plane("of_plane", planes);
  Kokkos::parallel_for(
      "fill", Kokkos::MDRangePolicy<Kokkos::Rank<3>>({0, 0, 0}, {planes, lines, n}),
      KOKKOS_LAMBDA(int i, int j, int k) { w(i, j, k) = 1 + (i + 2 * j + 3 * k) % 5; });
  Kokkos::parallel_for(
      "planes", Policy(planes, 4, 8), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const plane = team.league_rank();
        double sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, lines),
            [&](int j, double& of_lines) {
              double line = 0;
              Kokkos::parallel_reduce(
                  Kokkos::ThreadVectorRange(team, n), [&](int k, double& s) { s += w(plane, j, k); }, line);
              of_lines += line;
            },
            sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { of_plane(plane) = sum; });
      });
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of_plane)(1) < 0;
}
