// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads of vector lanes take a lock in turn; the lane that has it stores once more when it has given the lock back.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 8, width = 1;
  Kokkos::View<int> lock("lock"), entered("entered"), last("last");
  Kokkos::parallel_for(
      "lock", Policy(league, width, 4), KOKKOS_LAMBDA(Member const& member) {
        Kokkos::single(Kokkos::PerThread(member), [&] {
          while (Kokkos::atomic_exchange(&lock(), 1) != 0) {
          }
          Kokkos::memory_fence();
          entered() += 1;
          Kokkos::memory_fence();
          Kokkos::atomic_store(&lock(), 0);
          last() = member.league_rank();  // EXPECT: global-race
        });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), entered);
  return host() == league * width ? 0 : 1;
}
