// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Every thread sorts values in scratch of its own; its vector lanes share it through single(PerThread).
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Local = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 8, vector_length = 4, league = 2, n = 16;
  Kokkos::View<int***> y("y", league, team_size, n);
  auto policy =
      Policy(league, team_size, vector_length).set_scratch_size(0, Kokkos::PerThread(Local::shmem_size(n)));
  Kokkos::parallel_for(
      "sort", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Local local(team.thread_scratch(0), n);
        int const t = team.team_rank();
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), [&](int i) { local(i) = (i * 7 + t) % n; });
        Kokkos::single(Kokkos::PerThread(team), [&] {
          for (int i = 1; i < n; ++i) {
            for (int j = i; j > 0 && local(j - 1) > local(j); --j) {
              int const value = local(j);
              local(j) = local(j - 1);
              local(j - 1) = value;
            }
          }
        });
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n),
                             [&](int i) { y(team.league_rank(), t, i) = local(i); });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  for (int i = 0; i < n; ++i) {
    if (host(1, 7, i) != i) return 1;
  }
}
