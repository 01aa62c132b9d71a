// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A row of a matrix for each neighbour: a thread evaluates the basis there in scratch of its own, then copies it. One vector
// lane evaluates, all of them copy; and that one goes on to the thread's next neighbour while others still copy the last one.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Basis = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

KOKKOS_INLINE_FUNCTION void evaluate(Member const& team, Basis const& delta, double x) {
  Kokkos::single(Kokkos::PerThread(team), [&] {
    delta(0) = 1;  // EXPECT: scratch-race
    for (int j = 1; j < delta.extent_int(0); ++j) delta(j) = delta(j - 1) * x / j;  // EXPECT: scratch-race
  });
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const teams = 2, neighbours = 12, terms = 4;
  Kokkos::View<double***> p("P", teams, neighbours, terms);
  auto const policy = Policy(teams, 4, 8).set_scratch_size(0, Kokkos::PerThread(Basis::shmem_size(terms)));
  Kokkos::parallel_for(
      "basis", policy, KOKKOS_LAMBDA(Member const& team) {
        Basis const delta(team.thread_scratch(0), terms);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, neighbours), [&](int i) {
          evaluate(team, delta, 1.0 + i);
          for (int j = 0; j < terms; ++j) p(team.league_rank(), i, j) = delta(j);  // EXPECT: global-race
        });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), p);
  return host(1, 11, 3) < 0;
}
