// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of the elements that a function makes, and that no instrumentation shows with GCC, half are never made: those are told.
#include <Kokkos_Core.hpp>

struct Cell {
  double mass, momentum[3];
};

[[gnu::noinline]] KOKKOS_FUNCTION Cell at_rest(int i) { return {1. + i, {0, 0, 0}}; }

using Policy = Kokkos::TeamPolicy<>;
using Cells = Kokkos::View<Cell*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const threads = 32, made = threads / 2;
  Kokkos::View<double*> mass("mass", threads);
  Kokkos::parallel_for(
      "cells", Policy(1, threads).set_scratch_size(0, Kokkos::PerTeam(Cells::shmem_size(threads))),
      KOKKOS_LAMBDA(Policy::member_type const& team) {
        Cells const cells(team.team_scratch(0), threads);
        int const rank = team.team_rank();
        if (rank < made) cells(rank) = at_rest(rank);
        team.team_barrier();
        mass(rank) = cells(rank).mass + cells(rank).momentum[0];  // EXPECT: uninit-scratch
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mass);
  return host(made - 1) == made ? 0 : 1;
}
