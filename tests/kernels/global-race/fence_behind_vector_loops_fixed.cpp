// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The fence comes between the store and the flag, behind 2,100 vector loops of each of 32 threads.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::View<int> data("data"), flag("flag"), seen("seen");
  Kokkos::View<int*[2]> sink("sink", 32);
  Kokkos::parallel_for(
      "publish", Policy(2, 32, 2), KOKKOS_LAMBDA(Policy::member_type const& team) {
        if (team.league_rank() == 0) {
          for (int i = 0; i != 2100; ++i)
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 2), [&](int j) { sink(team.team_rank(), j) = i; });
          team.team_barrier();
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            data() = 7;
            Kokkos::memory_fence();
            Kokkos::atomic_store(&flag(), 1);
          });
        } else if (team.team_rank() == 0) {
          Kokkos::single(Kokkos::PerThread(team), [&] {
            while (Kokkos::atomic_load(&flag()) == 0) {
            }
            Kokkos::memory_fence();
            seen() = data();
          });
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  return host() < 0;
}
