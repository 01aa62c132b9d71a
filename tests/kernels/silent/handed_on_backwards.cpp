// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Data that goes through teams of falling rank: one thread of each waits, another says so, and a barrier lies between.
// The last team reads and overwrites what the first one wrote.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 6, width = 4;
  Kokkos::View<int> data(Kokkos::view_alloc("data", Kokkos::WithoutInitializing)), read("read");
  Kokkos::View<int*> told("told", league);
  Kokkos::parallel_for(
      "hand on", Policy(league, width, 2), KOKKOS_LAMBDA(Member const& member) {
        int const place = league - 1 - member.league_rank();
        auto const by_thread = [&](int thread, auto const& act) {
          if (member.team_rank() == thread) Kokkos::single(Kokkos::PerThread(member), act);
        };
        by_thread(3, [&] {
          if (place == 0) {
            data() = 5;
            return;
          }
          while (Kokkos::atomic_load(&told(place - 1)) == 0) {
          }
          Kokkos::memory_fence();
        });
        member.team_barrier();
        by_thread(1, [&] {
          if (place == league - 1) {
            read() = data();
            data() = 7;
          }
          Kokkos::memory_fence();
          Kokkos::atomic_store(&told(place), 1);
        });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), read);
  return host() == 5 ? 0 : 1;
}
