// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane of each thread fills the thread's scratch, each lane reads it in a plain loop, and the next turn fills it again:
// the lane that fills does not wait for those that still read.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
template <class T>
using Scratch = Kokkos::View<T, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const teams = 2, rows = 12, columns = 6;
  Kokkos::View<double**> powers("powers", teams * rows, columns);
  Policy const policy = Policy(teams, 4, 8).set_scratch_size(0, Kokkos::PerThread(Scratch<double*>::shmem_size(columns)));
  Kokkos::parallel_for("powers", policy, KOKKOS_LAMBDA(Member const& team) {
    Scratch<double*> row(team.thread_scratch(0), columns);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int i) {
      Kokkos::single(Kokkos::PerThread(team), [&] {
        double power = 1;
        for (int j = 0; j < columns; ++j, power *= i) {
          row(j) = power;  // EXPECT: scratch-race
        }
      });
      int const place = team.league_rank() * rows + i;
      for (int j = 0; j < columns; ++j) {
        double const value = row(j);  // EXPECT: scratch-race
        powers(place, j) = value;  // EXPECT: global-race
      }
    });
  });
  Kokkos::fence();
}
