// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// One thread hands a value to another by a flag in scratch, and changes it again when a second flag says so.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Shared = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 4;
  Kokkos::View<int*> sums("sums", league);
  auto policy = Policy(league, 8).set_scratch_size(0, Kokkos::PerTeam(Shared::shmem_size(3)));
  Kokkos::parallel_for(
      "two", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Shared s(team.team_scratch(0), 3);
        int const t = team.team_rank();
        if (t < 3) s(t) = 0;
        team.team_barrier();
        auto const wait = [&](int flag) {
          while (Kokkos::atomic_load(&s(flag)) == 0) {
          }
          Kokkos::memory_fence();
        };
        auto const tell = [&](int flag) {
          Kokkos::memory_fence();
          Kokkos::atomic_store(&s(flag), 1);
        };
        if (t == 2) {
          s(2) = 5;
          tell(0);
          wait(1);
          s(2) = 6;
        } else if (t == 7) {
          wait(0);
          sums(team.league_rank()) = s(2);
          tell(1);
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  return host(league - 1) == 5 ? 0 : 1;
}
