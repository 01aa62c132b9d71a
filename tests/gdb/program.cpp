// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the debugger's tests look at: two kernels whose lanes wait at a barrier, call a function, and, if asked to
// ("race", "teams", "uninit", "same"), do something wrong. "turns": they count themselves, with fences.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstring>

using Team = Kokkos::TeamPolicy<>;
using Member = Team::member_type;
using Tile = Kokkos::View<double*, Kokkos::DefaultExecutionSpace::scratch_memory_space, Kokkos::MemoryUnmanaged>;

KOKKOS_FUNCTION double weigh(double left, double right, int depth) {
  double const sum = left + right;  // MARK: weigh
  return depth == 0 ? sum : weigh(left, sum, depth - 1);
}

int main(int argc, char* argv[]) {
  char const* const wrong = argc > 1 ? argv[1] : "";
  bool const race = std::strcmp(wrong, "race") == 0, teams = std::strcmp(wrong, "teams") == 0,
             uninit = std::strcmp(wrong, "uninit") == 0, turns = std::strcmp(wrong, "turns") == 0,
             same = std::strcmp(wrong, "same") == 0;
  Kokkos::ScopeGuard const scope(argc, argv);
  constexpr int league = 4, team = 8, vector = 2;
  Kokkos::View<double*> const in("in", league * team), out("out", league * team);
  Kokkos::View<int> const turn("turn");
  Kokkos::View<int**, Kokkos::LayoutRight> const table("table", 3, 2);
  auto const host_table = Kokkos::create_mirror_view(table);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) host_table(i, j) = 10 * i + j;
  Kokkos::deep_copy(table, host_table);
  Kokkos::parallel_for("fill", league * team, KOKKOS_LAMBDA(int i) { in(i) = i; });
  Kokkos::parallel_for(
      "exchange", Team(league, team, vector).set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size(team))),
      KOKKOS_LAMBDA(Member const& member) {
        Tile const tile(member.team_scratch(0), team);
        int const rank = member.team_rank(), cell = member.league_rank() * team + rank;
        double own = in(cell);  // MARK: own
        if (!uninit || rank != 3) Kokkos::single(Kokkos::PerThread(member), [&] { tile(rank) = own; });  // MARK: write
        if (turns) Kokkos::memory_fence(), Kokkos::atomic_inc(&turn());
        if (!race) member.team_barrier();  // MARK: barrier
        double const next = tile((rank + 1) % team);  // MARK: read
        own = weigh(own, next, 2);  // MARK: call
        own += table(rank % 3, 1);  // MARK: after
        Kokkos::single(Kokkos::PerThread(member), [&] { out(teams ? rank : cell) = own; });  // MARK: store
        if (same) member.team_barrier(), tile(0) = 7;  // MARK: same
      });
  Kokkos::fence();
  std::printf("done\n");  // MARK: done
}
