// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The lanes of a thread meet at the end of a vector loop: the next loop of the same thread may read the
// others' values.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Rows = Kokkos::View<int**, Kokkos::LayoutRight, Policy::execution_space::scratch_memory_space,
                          Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 8, n = 24;
  Kokkos::View<int**> y("y", team_size, n);
  auto policy = Policy(1, team_size, 8).set_scratch_size(0, Kokkos::PerTeam(Rows::shmem_size(team_size, n)));
  Kokkos::parallel_for(
      "rows", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Rows rows(team.team_scratch(0), team_size, n);
        int const t = team.team_rank();
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int j) { rows(t, j) = j; });
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n),
                             [&](int j) { y(t, j) = rows(t, n - 1 - j); });
        int last = 0;
        Kokkos::single(
            Kokkos::PerThread(team), [&](int& value) { value = rows(t, n - 1) + y(t, 0); }, last);
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int j) { rows(t, j) = last + j; });
        Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, n), [&](int j, int& update, bool final_pass) {
          update += rows(t, n - 1 - j);
          if (final_pass) y(t, j) = update;
        });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(7, n - 1) == 24 * 46 + 276 ? 0 : 1;
}
