// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// One lane of a thread scales its row.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const teams = 3, rows = 12, columns = 5;
  Kokkos::View<double***> p("P", teams, rows, columns);
  Kokkos::View<double*> w("w", rows);
  Kokkos::deep_copy(p, 1.0);
  Kokkos::deep_copy(w, 4.0);
  Kokkos::parallel_for(
      "weigh", Policy(teams, 4, 8), KOKKOS_LAMBDA(Member const& team) {
        auto const mine = Kokkos::subview(p, team.league_rank(), Kokkos::ALL, Kokkos::ALL);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int i) {
          Kokkos::single(Kokkos::PerThread(team), [&] {
            for (int j = 0; j < columns; ++j) mine(i, j) = mine(i, j) * Kokkos::sqrt(w(i));
          });
        });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), p);
  return host(2, 11, 4) != 2.0;
}
