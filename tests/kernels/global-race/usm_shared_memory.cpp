// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Teams store their ranks to one word of memory that malloc_shared gave: a report calls it shared memory, not device memory.
// EXPECT-OUTPUT: write/write race on shared memory between teams
// EXPECT-OUTPUT: latest: shared memory, element 0 of 1
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  int* const latest = teamsan::usm::malloc_shared<int>(1, {}, "latest");
  Kokkos::parallel_for(
      "latest team", Policy(16, 32), KOKKOS_LAMBDA(Policy::member_type const& member) {
        Kokkos::single(Kokkos::PerTeam(member), [&] {
          *latest = member.league_rank();  // EXPECT: global-race
        });
      });
  Kokkos::fence();
  teamsan::usm::free(latest);
}
