// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams count themselves, with fences, on a counter that nobody has set to zero.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 40;
  Kokkos::View<int*> part("part", league);
  Kokkos::View<int> total("total");
  Kokkos::View<int> done(Kokkos::view_alloc("done", Kokkos::WithoutInitializing));
  Kokkos::parallel_for(
      "sum", Policy(league, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const l = team.league_rank();
        part(l) = l + 1;
        Kokkos::memory_fence();
        int const before = Kokkos::atomic_fetch_add(&done(), 1);  // EXPECT: uninit-global
        if (before != league - 1) return;
        Kokkos::memory_fence();
        int sum = 0;
        for (int k = 0; k < league; ++k) sum += part(k);
        total() = sum;
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), total);
  return host() < 0;
}
