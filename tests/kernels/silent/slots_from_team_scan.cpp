// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each team takes slots of a list by a scan that counts on in device memory. What the note on values that teams got back names
// is the scan's line, not one of Kokkos' headers.
// EXPECT-OUTPUT: got\s+values\s+back\s+from\s+atomics\s+they\s+share\s+\(\S*slots_from_team_scan.cpp:17:\d+\)
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<int> count("count");
  Kokkos::View<int*> slots("slots", 256);
  Kokkos::parallel_for(
      "slots", Policy(8, 64), KOKKOS_LAMBDA(Policy::member_type const& member) {
        int const takes = member.team_rank() % 2;
        int const slot = member.team_scan(takes, &count());
        if (takes != 0) slots(slot) = member.league_rank() + 1;
      });
  int taken = 0;
  Kokkos::parallel_reduce(
      "taken", 256, KOKKOS_LAMBDA(int i, int& sum) { sum += slots(i) != 0; }, taken);
  return taken == 256 ? 0 : 1;
}
