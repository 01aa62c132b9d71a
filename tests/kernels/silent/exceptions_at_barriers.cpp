// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Lanes handle exceptions of their own and wait for one another meanwhile: each keeps its own. A device compiler would not
// take it; a host's does.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

struct Even {};
struct Odd {};

KOKKOS_FUNCTION void fail(int i) {
  if (i % 2 == 0) throw Even();
  throw Odd();
}

/// 0, or 1: that of another lane is handled here.
KOKKOS_FUNCTION int handled(bool even) {
  try {
    throw;
  } catch (Even const&) {
    return !even;
  } catch (Odd const&) {
    return even;
  }
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const teams = 4, team_size = 32;
  Kokkos::View<int*> wrong("wrong", teams * team_size);
  Kokkos::parallel_for(
      "try", Policy(teams, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const rank = team.team_rank();
        int mine = 0;
        try {
          fail(rank);
        } catch (...) {
          team.team_barrier();
          mine += handled(rank % 2 == 0);
          try {
            fail(rank + 1);
          } catch (...) {
            team.team_barrier();
            mine += handled(rank % 2 != 0);
          }
          team.team_barrier();
          mine += handled(rank % 2 == 0);
        }
        team.team_barrier();
        wrong(team.league_rank() * team_size + rank) = mine;
      });
  int sum = 0;
  Kokkos::parallel_reduce("sum", teams * team_size, KOKKOS_LAMBDA(int i, int& s) { s += wrong(i); }, sum);
  return sum != 0;
}
