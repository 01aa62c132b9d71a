// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine model's totals on warps of 16 and of 64 lanes. Windows hold several accesses, so that one that were given
// more lanes than a warp has would spoil the next.
// OPTIONS: check=all,perf:device=mobile
// OPTIONS: check=all,perf:device=mi250x
#include "SimtTraffic.hpp"

using namespace simt_team;

namespace {

BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

std::uint64_t const warp = static_cast<std::uint64_t>(Policy::vector_length_max());
constexpr int team_size = 128;

}  // namespace

BOOST_AUTO_TEST_CASE(each_warp_is_counted_whole) {
  using Line = Kokkos::View<int*, Scratch, Kokkos::MemoryUnmanaged>;
  constexpr int rounds = 5;
  Kokkos::View<int*, Space> in("in", team_size), out("out", team_size);
  Kokkos::View<int* [rounds], Kokkos::LayoutLeft, Space> products("products", team_size);
  Policy policy(1, team_size, 1);
  policy.set_scratch_size(0, Kokkos::PerTeam(Line::shmem_size(team_size)));
  Kokkos::parallel_for(
      "reversed", policy, KOKKOS_LAMBDA(Member const& team) {
        Line line(team.team_scratch(0), team_size);
        int const rank = team.team_rank();
        line(rank) = in(rank);
        team.team_barrier();
        for (int round = 0; round < rounds; ++round)
          products(rank, round) = line(team_size - 1 - rank) * line((rank + round) % team_size);
        if (rank % 2 == 1) out(rank) = line(0);
      });
  auto const t = traffic_of("reversed");
  std::uint64_t const warps = team_size / warp;
  BOOST_TEST(t.shared_stores.requests == warps);
  BOOST_TEST(t.shared_stores.lane_accesses == team_size);
  BOOST_TEST(t.shared_loads.requests == (rounds + 1 + rounds) * warps);
  BOOST_TEST(t.shared_loads.lane_accesses == 2 * rounds * team_size + team_size / 2);
  BOOST_TEST(t.shared_loads.wavefronts == t.shared_loads.requests * ((warp + 31) / 32));  // 32 banks
  BOOST_TEST(t.global_loads.requests == warps);
  BOOST_TEST(t.global_loads.sectors == team_size * 4 / 64);
  BOOST_TEST(t.global_stores.requests == (rounds + 1) * warps);
  BOOST_TEST(t.global_stores.lane_accesses == rounds * team_size + team_size / 2);
  BOOST_TEST(t.global_stores.sectors == (rounds + 1) * team_size * 4 / 64);
  BOOST_TEST(t.global_atomics.requests == 0);
}
