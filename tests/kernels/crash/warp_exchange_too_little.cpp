// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch reserves scratch for the elements alone, not for the gaps of the exchange.
#include <Kokkos_Core.hpp>

#include <teamsan/model/workgroup/warp_store.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
constexpr int items = 4, lanes = 8, tile = items * lanes;
using Exchange = teamsan::warp_exchange<double, items, Member, lanes>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<double*> out("out", tile);
  Policy policy(1, 1, lanes);
  policy.set_scratch_size(0, Kokkos::PerThread(tile * sizeof(double)));
  Kokkos::parallel_for(
      "store", policy, KOKKOS_LAMBDA(Member const& member) {
        teamsan::warp_items<double, items, Member, lanes> values;
        values.assign(member, [](int lane, int k) { return lane * items + k; });
        Exchange const exchange(member);  // EXPECT: crash
        teamsan::warp_store<items, teamsan::warp_algorithm::transpose>(member, out.data(), values, exchange);
      });
  Kokkos::fence();
}
