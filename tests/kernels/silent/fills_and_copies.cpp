// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills and copies whose length the compiler knows, by every name they have, into scratch and back; each thread has a part
// of its own, and the others read it behind a barrier.
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int threads = 4, bytes = 12, ways = 12;
  Kokkos::View<char*> in("in", bytes);
  Kokkos::View<int**> out("out", ways, threads);
  Kokkos::parallel_for(
      "in", bytes, KOKKOS_LAMBDA(int i) { in(i) = static_cast<char>(i); });
  Kokkos::parallel_for(
      "ways", Policy(ways, threads).set_scratch_size(0, Kokkos::PerTeam(threads * bytes)),
      KOKKOS_LAMBDA(Member const& team) {
        auto* const tile = static_cast<char*>(team.team_scratch(0).get_shmem(threads * bytes));
        char* const mine = tile + team.team_rank() * bytes;
        switch (team.league_rank()) {
          case 0: std::fill_n(mine, bytes, char(7)); break;
          case 1: std::fill(mine, mine + bytes, char(team.team_rank())); break;
          case 2: reinterpret_cast<std::array<char, bytes>*>(mine)->fill(7); break;
          case 3: std::copy_n(in.data(), bytes, mine); break;
          case 4: std::memset(mine, 7, bytes); break;
          case 5: std::memcpy(mine, in.data(), bytes); break;
          case 6: __builtin_memset(mine, 7, bytes); break;
          case 7: __builtin_memcpy(mine, in.data(), bytes); break;
          case 8: __builtin_memmove(mine, in.data(), bytes); break;
          case 9: std::strcpy(mine, "eleven char"); break;
          case 10: std::strncpy(mine, "few", bytes); break;
          case 11: *reinterpret_cast<std::array<char, bytes>*>(mine) = {}; break;
        }
        team.team_barrier();
        int sum = 0;
        for (int i = 0; i < threads * bytes; ++i) sum += tile[i];
        if (std::equal(tile, tile + bytes, tile + bytes) && std::memcmp(tile, mine, bytes) == 0) ++sum;
        out(team.league_rank(), team.team_rank()) = sum;
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  return host(0, 0) == threads * bytes * 7 + 1 && host(5, 3) == threads * 66 + 1 ? 0 : 1;  // EXPECT-NONE
}
