// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tile is read by columns: its row is as long as scratch has banks, so that a column lies in one bank.
// OPTIONS: check=all,bank:device=h100
// EXPECT-EXIT: 0
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Policy::execution_space::scratch_memory_space;
constexpr int width = 32;
using Tile = Kokkos::View<float[width][width], Kokkos::LayoutRight, Scratch, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<float**, Kokkos::LayoutRight> in("in", width, width), out("out", width, width);
  Policy policy(1, 8, width);
  policy.set_scratch_size(0, Kokkos::PerTeam(Tile::shmem_size()));
  Kokkos::parallel_for(
      "transpose", policy, KOKKOS_LAMBDA(Member const& team) {
        Tile tile(team.team_scratch(0));
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int y) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width), [&](int x) { tile(y, x) = in(y, x); });
        });
        team.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int y) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, width), [&](int x) {
            out(y, x) = tile(x, y);  // EXPECT: bank-conflict
          });
        });
      });
}
