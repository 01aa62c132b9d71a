// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The lanes copy in a range what one of them has evaluated: it goes on when all have.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Basis = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

KOKKOS_INLINE_FUNCTION void evaluate(Member const& team, Basis const& delta, double x) {
  Kokkos::single(Kokkos::PerThread(team), [&] {
    delta(0) = 1;
    for (int j = 1; j < delta.extent_int(0); ++j) delta(j) = delta(j - 1) * x / j;
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
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, terms), [&](int j) {
            p(team.league_rank(), i, j) = delta(j);
          });
        });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), p);
  return host(1, 11, 3) < 0;
}
