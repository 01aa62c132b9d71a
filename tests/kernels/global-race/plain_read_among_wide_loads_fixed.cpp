// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// OPTIONS: num_threads=4
// Teams load a struct of 24 bytes by Kokkos' atomics, under a lock, and one exchanges it.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

struct State {
  double energy, pressure, age;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 96;
  Kokkos::View<State> state("state");
  Kokkos::View<double*> seen("seen", league);
  Kokkos::parallel_for(
      "state", Policy(league, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const rank = team.league_rank();
        if (rank == 60)
          seen(rank) = Kokkos::atomic_exchange(&state(), State{1, 2, 3}).age;
        else if (rank == 80)
          seen(rank) = Kokkos::atomic_load(&state()).age;
        else
          seen(rank) = Kokkos::atomic_load(&state()).age;
      });
  Kokkos::fence();
}
