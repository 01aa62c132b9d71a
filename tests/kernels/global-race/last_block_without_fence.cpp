// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The team that counts last adds up what the others wrote, but no fence orders their writes before their
// counting.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 10;
  Kokkos::View<int*> part("part", league);
  Kokkos::View<int> total("total"), done("done");
  Kokkos::parallel_for(
      "sum", Policy(league, 1), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const l = team.league_rank();
        part(l) = l + 1;  // EXPECT: unfenced-handover
        if (Kokkos::atomic_fetch_add(&done(), 1) == league - 1) {
          int sum = 0;
          for (int k = 0; k < league; ++k) {
            sum += part(k);  // EXPECT: unfenced-handover
          }
          total() = sum;
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), total);
  return host() < 0;
}
