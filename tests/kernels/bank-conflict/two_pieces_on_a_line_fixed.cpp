// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// OPTIONS: check=all,bank:device=h100
// Two pieces of scratch are read on one line: of the first all lanes read one word, of the second words of one bank.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
template <class T>
using Scratch = Kokkos::View<T, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const width = 16, lanes = width * width;
  Kokkos::View<double*> out("out", 4 * lanes);
  Policy const policy = Policy(4, lanes).set_scratch_size(0, Kokkos::PerTeam(2 * Scratch<double*>::shmem_size(17 * width)));
  Kokkos::parallel_for("product", policy, KOKKOS_LAMBDA(Member const& team) {
    Scratch<double*> factor(team.team_scratch(0), lanes), tile(team.team_scratch(0), 17 * width);
    int const t = team.team_rank(), column = t % width;
    factor(t) = t;
    tile(t) = t;
    if (t < width) tile(lanes + t) = 0;
    team.team_barrier();
    double sum = 0;
    for (int q = 0; q < width; ++q) sum += factor(q) * tile(q + 17 * column);
    out(team.league_rank() * lanes + t) = sum;
  });
  Kokkos::fence();
}
