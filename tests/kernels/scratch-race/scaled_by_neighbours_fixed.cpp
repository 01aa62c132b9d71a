// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each thread finds the largest element of a column, then scales a row by what all threads found (Kokkos Kernels: the static
// pivoting of Gesv). A barrier between the two.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const systems = 4, n = 16;
  Kokkos::View<double***> a("a", systems, n, n), scaled("scaled", systems, n, n);
  Kokkos::deep_copy(a, 2);
  Kokkos::parallel_for(
      "scale", Policy(systems, n).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(n))),
      KOKKOS_LAMBDA(Member const& team) {
        int const s = team.league_rank();
        Scratch scale(team.team_scratch(0), n);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
          double largest = 0;
          for (int j = 0; j < n; ++j) largest = Kokkos::max(largest, Kokkos::abs(a(s, j, i)));
          scale(i) = 1 / largest;
        });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
          for (int j = 0; j < n; ++j) scaled(s, i, j) = a(s, i, j) * scale(j);
        });
      });
  Kokkos::fence();
}
