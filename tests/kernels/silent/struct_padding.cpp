// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Structs with padding are copied whole; the padding bytes that nobody wrote are no uninitialised read.
#include <Kokkos_Core.hpp>

struct Record {
  char kind;
  double value;
  short index;
};
using Policy = Kokkos::TeamPolicy<>;
using Records = Kokkos::View<Record*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 2;
  Kokkos::View<Record*> from(Kokkos::view_alloc("from", Kokkos::WithoutInitializing), team_size * league);
  Kokkos::View<Record*> to("to", team_size * league);
  Kokkos::parallel_for(
      "fill", from.size(), KOKKOS_LAMBDA(int i) {
        from(i).kind = 'a';
        from(i).value = i;
        from(i).index = static_cast<short>(i);
      });
  auto policy =
      Policy(league, team_size).set_scratch_size(0, Kokkos::PerTeam(Records::shmem_size(team_size)));
  Kokkos::parallel_for(
      "copy", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Records records(team.team_scratch(0), team_size);
        int const t = team.team_rank();
        int const i = team.league_rank() * team_size + t;
        records(t) = from(i);
        team.team_barrier();
        Record const copy = records((t + 1) % team_size);
        to(i) = copy;
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), to);
  return host(0).value == 1 && host(0).kind == 'a' && host(31).index == 0 ? 0 : 1;
}
