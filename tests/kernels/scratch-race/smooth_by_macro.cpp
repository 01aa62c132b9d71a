// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel in a macro, so that all of it is one line: each thread reads its neighbour's element of the scratch of the team, no
// barrier behind the stores. To read first, as x(i) = x(i + 1) would have to, is no cure.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

#define SMOOTH(out, teams, size)                                                           \
  Kokkos::parallel_for(                                                                    \
      "smooth", Policy(teams, size).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(size))), \
      KOKKOS_LAMBDA(Member const& team) {                                                  \
        Scratch const row(team.team_scratch(0), size);                                     \
        int const i = team.team_rank(), first = team.league_rank() * (size);               \
        row(i) = first + i;                                                                \
        out(first + i) = 0.5 * (row(i) + row((i + 1) % (size)));                           \
      })

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const teams = 4, size = 32;
  Kokkos::View<double*> out("out", teams * size);
  SMOOTH(out, teams, size);  // EXPECT: scratch-race
  Kokkos::fence();
  return 0;
}
