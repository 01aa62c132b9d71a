// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each lane clears the thread's scratch, which one lane fills next; and each lane scales a row of device memory: two faults,
// each with its own cure.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
template <class T>
using Scratch = Kokkos::View<T, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 8, columns = 4;
  Kokkos::View<double**> powers("powers", rows, columns);
  Policy const policy = Policy(1, 4, 8).set_scratch_size(0, Kokkos::PerThread(Scratch<double*>::shmem_size(columns)));
  Kokkos::parallel_for("powers", policy, KOKKOS_LAMBDA(Member const& team) {
    Scratch<double*> delta(team.thread_scratch(0), columns);
    Kokkos::single(Kokkos::PerThread(team), [&] {
      for (int j = 0; j < columns; ++j) delta(j) = 0;
    });
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int i) {
      Kokkos::single(Kokkos::PerThread(team), [&] {
        for (int j = 0; j < columns; ++j) delta(j) = i + j;
        for (int j = 0; j < columns; ++j) powers(i, j) = delta(j);
      });
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int i) {
      Kokkos::single(Kokkos::PerThread(team), [&] {
        for (int j = 0; j < columns; ++j) powers(i, j) *= 0.5;
      });
    });
  });
  Kokkos::fence();
}
