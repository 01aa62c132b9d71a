// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team shares four weights, kept in scratch. The bug: thread 0 writes its own weight and no other; scratch
// is not zeroed, so the others are whatever the last team left there.
#include <Kokkos_Core.hpp>

#include <cstdio>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Policy::execution_space::scratch_memory_space;
using Weights = Kokkos::View<double*, Scratch, Kokkos::MemoryUnmanaged>;

constexpr int teams = 16, threads = 256, cells = teams * threads, taps = 4;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> out("out", cells);

  Policy policy(teams, threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(Weights::shmem_size(taps)));
  Kokkos::parallel_for(
      "weigh", policy, KOKKOS_LAMBDA(Member const& team) {
        Weights weights(team.team_scratch(0), taps);
        int const i = team.team_rank();
        if (i == 0) weights(i) = 1.0 / (1 + i);
        team.team_barrier();
        out(team.league_rank() * threads + i) = weights(i % taps);  // EXPECT: uninit-scratch
      });

  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  int wrong = 0;
  for (int cell = 0; cell < cells; ++cell) wrong += result(cell) != 1.0 / (1 + cell % taps);
  std::printf("thread 0's scratch: %d of %d cells are wrong\n", wrong, cells);
  return wrong != 0;
}
