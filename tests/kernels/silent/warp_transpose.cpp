// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// warp_store and warp_load by transpose order the lanes of a thread by themselves, whatever Kokkos' own constructs order;
// the exchange is used again and again.
// OPTIONS: sync=portable:device=h100
// EXPECT-NONE
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/warp_load.hpp>
#include <teamsan/model/workgroup/warp_store.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Algorithm = teamsan::warp_algorithm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int items = 4, tile = 32 * items, rounds = 3;
  using Exchange = teamsan::warp_exchange<float, items, Member>;
  Kokkos::View<float*> in("in", 4 * rounds * tile), out("out", 4 * rounds * tile);
  Kokkos::deep_copy(in, 2.f);
  Policy policy(2, 2, 32);
  policy.set_scratch_size(0, Kokkos::PerThread(Exchange::scratch_bytes));
  Kokkos::parallel_for(
      "transpose", policy, KOKKOS_LAMBDA(Member const& member) {
        Exchange const exchange(member);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, 2 * rounds), [&](int t) {
          int const first = (member.league_rank() * 2 * rounds + t) * tile;
          teamsan::warp_items<float, items, Member> values;
          teamsan::warp_load<items, Algorithm::transpose>(member, in.data() + first, values, exchange);
          teamsan::for_each_lane<32>(member, [&](int lane) { values(lane, 0) += lane; });
          teamsan::warp_store<items, Algorithm::transpose>(member, out.data() + first, values, exchange);
        });
      });
  Kokkos::fence();
}
