// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A matrix-vector product by TeamThreadRange and ThreadVectorRange, its result normalised by a nested
// reduction.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Row = Kokkos::View<double*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 3, rows = 20, columns = 50;
  Kokkos::View<double***> a("a", league, rows, columns);
  Kokkos::View<double**> y("y", league, rows);
  Kokkos::deep_copy(a, 1.0);
  auto policy = Policy(league, 8, 4).set_scratch_size(0, Kokkos::PerTeam(Row::shmem_size(rows)));
  Kokkos::parallel_for(
      "product", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Row product(team.team_scratch(0), rows);
        int const l = team.league_rank();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int i) {
          double sum = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, columns),
              [&](int j, double& update) { update += a(l, i, j) * j; }, sum);
          Kokkos::single(Kokkos::PerThread(team), [&] { product(i) = sum; });
        });
        team.team_barrier();
        double norm = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamVectorRange(team, rows), [&](int i, double& update) { update += product(i); }, norm);
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, rows),
                             [&](int i) { y(l, i) = product(i) / norm; });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), y);
  return host(2, 19) == 1.0 / rows ? 0 : 1;
}
