// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The warps of a team transpose through the same scratch, one over the other.
// OPTIONS: device=h100
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/warp_store.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Algorithm = teamsan::warp_algorithm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int items = 4, tile = 32 * items;
  using Exchange = teamsan::warp_exchange<float, items, Member>;
  Kokkos::View<float*> out("out", 4 * tile);
  Policy policy(1, 4, 32);
  policy.set_scratch_size(0, Kokkos::PerTeam(Exchange::scratch_bytes));
  Kokkos::parallel_for(
      "store", policy, KOKKOS_LAMBDA(Member const& member) {
        int const first = member.team_rank() * tile;
        teamsan::warp_items<float, items, Member> values;
        values.assign(member, [&](int lane, int k) { return first + lane * items + k; });
        constexpr std::size_t bytes = Exchange::scratch_bytes;
        Exchange const exchange(static_cast<float*>(member.team_scratch(0).get_shmem(bytes)));
        teamsan::warp_store<items, Algorithm::transpose>(member, out.data() + first, values, exchange);  // EXPECT: scratch-race
      });
}
