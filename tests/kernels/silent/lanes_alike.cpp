// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// What lanes do alike is one access: all vector lanes of a thread store, fence and say so, and each lane of a collective
// stores its result into device memory; one of them counts.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 12, width = 4, length = 8;
  Kokkos::View<int**, Kokkos::LayoutRight> part("part", league, width);
  Kokkos::View<int*> sums("sums", league), chain("chain", league), told("told", league);
  Kokkos::View<int> done("done"), counted("counted"), total("total");
  Kokkos::parallel_for(
      "vector lanes", Policy(league, width, length), KOKKOS_LAMBDA(Member const& member) {
        part(member.league_rank(), member.team_rank()) = member.team_rank();
        Kokkos::memory_fence();
        Kokkos::single(Kokkos::PerThread(member), [&] {
          if (Kokkos::atomic_fetch_add(&done(), 1) != league * width - 1) return;
          Kokkos::memory_fence();
          for (int i = 0; i < league * width; ++i) total() += part(i / width, i % width);
        });
      });
  Kokkos::parallel_for(
      "results", Policy(league, width, length), KOKKOS_LAMBDA(Member const& member) {
        int const mine = member.league_rank();
        Kokkos::parallel_reduce(Kokkos::TeamThreadRange(member, 32), [&](int i, int& sum) { sum += i; }, sums(mine));
        Kokkos::single(Kokkos::PerTeam(member), [&] {
          Kokkos::memory_fence();
          if (Kokkos::atomic_fetch_add(&counted(), 1) != league - 1) return;
          Kokkos::memory_fence();
          for (int i = 0; i < league; ++i) total() += sums(i);
        });
      });
  Kokkos::parallel_for(
      "chain", Policy(league, 1, length), KOKKOS_LAMBDA(Member const& member) {
        int const mine = member.league_rank();
        int before = 0;
        if (mine > 0) {
          while (Kokkos::atomic_load(&told(mine - 1)) == 0) {
          }
          Kokkos::memory_fence();
          before = chain(mine - 1);
        }
        chain(mine) = before + 1;
        Kokkos::memory_fence();
        Kokkos::atomic_store(&told(mine), 1);
      });
  auto const sum = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), total);
  auto const last = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), chain);
  return sum() == league * (6 + 496) && last(league - 1) == league ? 0 : 1;
}
