// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last warp's tile is not full, and the full form is used.
// OPTIONS: device=h100
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/warp_store.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Algorithm = teamsan::warp_algorithm;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int items = 3, tile = 32 * items;
  int const n = 5 * tile - 40;
  Kokkos::View<float*> out("out", n);
  Policy policy(1, 5, 32);
  Kokkos::parallel_for(
      "store", policy, KOKKOS_LAMBDA(Member const& member) {
        int const first = member.team_rank() * tile;
        teamsan::warp_items<float, items, Member> values;
        values.assign(member, [&](int lane, int k) { return first + k * 32 + lane; });
        teamsan::warp_store<items, Algorithm::striped>(member, out.data() + first, values);  // EXPECT: out-of-bounds
      });
}
