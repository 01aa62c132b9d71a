// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// shared_counter.cpp with an atomic increment.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

#include <cstdio>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Policy::execution_space::scratch_memory_space;
using Counter = Kokkos::View<int, Scratch, Kokkos::MemoryUnmanaged>;

constexpr int teams = 16, threads = 64;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int*> multiples("multiples", teams);

  Policy policy(teams, threads);
  policy.set_scratch_size(0, Kokkos::PerTeam(Counter::shmem_size()));
  Kokkos::parallel_for(
      "count multiples of three", policy, KOKKOS_LAMBDA(Member const& team) {
        Counter counter(team.team_scratch(0));
        Kokkos::single(Kokkos::PerTeam(team), [&] { counter() = 0; });
        team.team_barrier();
        int const number = team.league_rank() * threads + team.team_rank();
        if (number % 3 == 0) Kokkos::atomic_inc(&counter());
        team.team_barrier();
        Kokkos::single(Kokkos::PerTeam(team), [&] { multiples(team.league_rank()) = counter(); });
      });

  int sum = 0;
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), multiples);
  for (int team = 0; team < teams; ++team) sum += result(team);
  int const right = (teams * threads + 2) / 3;
  std::printf("shared counter: %d multiples of three, %d would be right\n", sum, right);
  return sum != right;
}
