// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two kernels read columns of tiles: one small, which its launch costs more than its banks, one large, which its banks bound.
// What the second one's Fix is worth comes first, though the first one was launched first.
// OPTIONS: check=all,bank:device=h100
// EXPECT-OUTPUT: finding\s+1\s+of\s+2\s+Kernel\s+"large"
// EXPECT-OUTPUT: Gain\s+about 1,047,552 of 1,081,344 wavefronts, [1-9][0-9.]* % of the kernel's modelled cost
// EXPECT-OUTPUT: Gain\s+about 992 of 1,024 wavefronts, none of the kernel's modelled cost, which\s+launches\s+bound
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
    Scratch const tile(team.team_scratch(0), edge, edge);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, edge), [&](int y) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, edge), [&](int x) { tile(y, x) = float(x - y); });
    });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, edge), [&](int y) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, edge), [&](int x) {
        float sum = 0;
        for (int i = 0; i < rounds; ++i) sum += tile(x, (y + i) % edge);  // EXPECT: bank-conflict
        sums(team.league_rank(), y * edge + x) = sum;
      });
    });
  }
};

void launch(char const* name, int teams, int rounds) {
  Kokkos::View<float**, Kokkos::LayoutRight> const sums("sums", teams, edge * edge);
  auto const policy = Policy(teams, 8, edge).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(edge, edge)));
  Kokkos::parallel_for(name, policy, Columns{sums, rounds});
  Kokkos::fence();
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  launch("small", 1, 1);
  launch("large", 132, 8);
}
