// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Much of one kind, and one fault in it: scale league TEAMS, scale launches NUMBER, scale scratch MEBIBYTES.
#include <Kokkos_Core.hpp>

#include <cstdlib>
#include <string>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Kokkos::View<int*, Kokkos::DefaultExecutionSpace::scratch_memory_space>;

int main(int argc, char* argv[]) {
  if (argc < 3) return 1;
  std::string const how = argv[1];
  int const much = std::atoi(argv[2]);
  Kokkos::ScopeGuard kokkos(argc, argv);
  if (how == "league") {  // the last two teams store to one element
    Kokkos::View<int*> out("out", much);
    Kokkos::parallel_for(
        "league", Policy(much, 1), KOKKOS_LAMBDA(Member const& team) {
          int const i = team.league_rank();
          out(i == much - 1 ? i - 1 : i) = i;  // league
        });
  }
  if (how == "launches") {  // in the last one all iterations store to one element
    Kokkos::View<int*> out("out", 4);
    for (int n = 0; n != much; ++n)
      Kokkos::parallel_for(
          "launches", 4, KOKKOS_LAMBDA(int i) {
            out(n == much - 1 ? 0 : i) = i;  // launches
          });
  }
  if (how == "scratch") {  // of each team the last element lacks a barrier
    std::size_t const bytes = static_cast<std::size_t>(much) << 20;
    int const size = static_cast<int>(bytes / sizeof(int)) - 16;
    Kokkos::View<int*> out("out", 4 * 2);
    Kokkos::parallel_for(
        "scratch", Policy(4, 2).set_scratch_size(1, Kokkos::PerTeam(bytes)), KOKKOS_LAMBDA(Member const& team) {
          Scratch const tile(team.team_scratch(1), size);
          int const rank = team.team_rank();
          for (int i = rank; i < size; i += 4096) tile(i) = i;
          if (rank == 0) tile(size - 1) = 1;
          out(2 * team.league_rank() + rank) = tile(size - 1);  // scratch
        });
  }
  Kokkos::fence();
}
