// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All teams read what the last one, the first one, or one in the middle writes: workers join what teams read before those have
// their turns.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const league = 600, team_size = 64;
  Kokkos::View<int*> in("in", league * team_size), out("out", league * team_size), shared("shared", 64);
  using Policy = Kokkos::TeamPolicy<>;
  for (int const writer : {league - 1, 0, league / 2})
    Kokkos::parallel_for(
        "late_writer", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
          int const rank = team.league_rank();
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, team_size), [&](int i) {
            int const sum = shared(i) + in((rank + 1) % league * team_size + i);
            out(rank * team_size + i) = sum;
            if (rank == writer && i == 5) shared(5) = sum + writer;
          });
        });
  Kokkos::fence();
}
