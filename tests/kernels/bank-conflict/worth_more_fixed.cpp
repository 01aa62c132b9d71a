// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows are one element longer than the tile is wide.
// OPTIONS: check=all,bank:device=h100
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Scratch =
    Kokkos::View<float**, Kokkos::LayoutRight, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;
constexpr int edge = 32;

namespace {

struct Columns {
  Kokkos::View<float**, Kokkos::LayoutRight> sums;
  int rounds;
  KOKKOS_FUNCTION void operator()(Policy::member_type const& team) const {
    Scratch const tile(team.team_scratch(0), edge, edge + 1);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, edge), [&](int y) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, edge), [&](int x) { tile(y, x) = float(x - y); });
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, edge), [&](int y) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, edge), [&](int x) {
        float sum = 0;
        for (int i = 0; i < rounds; ++i) sum += tile(x, (y + i) % edge);
        sums(team.league_rank(), y * edge + x) = sum;
      });
    });
  }
};

void launch(char const* name, int teams, int rounds) {
  Kokkos::View<float**, Kokkos::LayoutRight> const sums("sums", teams, edge * edge);
  auto const policy = Policy(teams, 8, edge).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(edge, edge + 1)));
  Kokkos::parallel_for(name, policy, Columns{sums, rounds});
  Kokkos::fence();
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  launch("small", 1, 1);
  launch("large", 132, 8);
}
