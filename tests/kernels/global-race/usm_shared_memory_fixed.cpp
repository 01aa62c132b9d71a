// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// usm_shared_memory.cpp with an atomic maximum.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

#include <teamsan/model/usm/Usm.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  int* const latest = teamsan::usm::malloc_shared<int>(1, {}, "latest");
  *latest = 0;
  Kokkos::parallel_for(
      "latest team", Policy(16, 32), KOKKOS_LAMBDA(Policy::member_type const& member) {
        Kokkos::single(Kokkos::PerTeam(member), [&] { Kokkos::atomic_max(latest, member.league_rank()); });
      });
  Kokkos::fence();
  int const last = *latest;
  teamsan::usm::free(latest);
  return last == 15 ? 0 : 1;
}
