// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A team publishes data behind a flag of 24 bytes, which Kokkos stores under one of its locks: after a fence the flag
// orders as one of 4 bytes would.
#include <Kokkos_Core.hpp>

struct Ticket {
  double number = 0, sum = 0, sign = 0;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  int const league = 16;
  Kokkos::View<Ticket*> flag("flag", league + 1);
  Kokkos::View<double*> prefix("prefix", league + 1);
  Kokkos::deep_copy(prefix, 0.0);
  Kokkos::parallel_for(
      "open", 1, KOKKOS_LAMBDA(int) { flag(0) = Ticket{1, 0, 0}; });
  Kokkos::parallel_for(
      "chain", Policy(league, 8), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const i = team.league_rank();
        Kokkos::single(Kokkos::PerTeam(team), [&] {
          while (Kokkos::atomic_load(&flag(i)).number == 0) {
          }
          Kokkos::memory_fence();
          prefix(i + 1) = prefix(i) + i;
          Kokkos::memory_fence();
          Kokkos::atomic_store(&flag(i + 1), Ticket{1, prefix(i + 1), 0});
        });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), prefix);
  return host(league) == league * (league - 1) / 2 ? 0 : 1;
}
