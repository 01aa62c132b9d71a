// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A scan on four levels: over a thread's vector lanes, a team's rows, the teams, and the sums added again.
#include <Kokkos_Core.hpp>

#include <cstdlib>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Rows = Kokkos::View<long*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 7, rows = 10, columns = 13, block = rows * columns, n = league * block;
  Kokkos::View<long*> x("x", n), scan("scan", n), totals("totals", league);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { x(i) = i * 37 % 101; });
  for (int const vector : {1, 4, 32})
    for (int const team : {1, 3, 8}) {
      Policy policy(league, team, vector);
      policy.set_scratch_size(0, Kokkos::PerTeam(2 * Rows::shmem_size(rows)));
      Kokkos::parallel_for(
          "blocks", policy, KOKKOS_LAMBDA(Member const& member) {
            Rows sums(member.team_scratch(0), rows), before(member.team_scratch(0), rows);
            int const first = member.league_rank() * block;
            Kokkos::parallel_for(Kokkos::TeamThreadRange(member, rows), [&](int row) {
              long sum = 0;
              Kokkos::parallel_scan(
                  Kokkos::ThreadVectorRange(member, columns),
                  [&](int column, long& update, bool last) {
                    int const i = first + row * columns + column;
                    update += x(i);
                    if (last) scan(i) = update;
                  },
                  sum);
              Kokkos::single(Kokkos::PerThread(member), [&] { sums(row) = sum; });
            });
            member.team_barrier();
            long total = 0;
            Kokkos::parallel_scan(
                Kokkos::TeamThreadRange(member, rows),
                [&](int row, long& update, bool last) {
                  if (last) Kokkos::single(Kokkos::PerThread(member), [&] { before(row) = update; });
                  update += sums(row);
                },
                total);
            member.team_barrier();
            Kokkos::parallel_for(Kokkos::TeamVectorRange(member, block),
                                 [&](int i) { scan(first + i) += before(i / columns); });
            Kokkos::single(Kokkos::PerTeam(member), [&] { totals(member.league_rank()) = total; });
          });
      Kokkos::parallel_scan(
          "totals", league, KOKKOS_LAMBDA(int l, long& update, bool last) {
            long const total = totals(l);
            if (last) totals(l) = update;
            update += total;
          });
      Kokkos::parallel_for(
          "add", n, KOKKOS_LAMBDA(int i) { scan(i) += totals(i / block); });
      auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), scan);
      long sum = 0;
      for (int i = 0; i < n; ++i)
        if (result(i) != (sum += i * 37 % 101)) std::abort();
    }
}
