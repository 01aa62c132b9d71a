// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// long_rows.cpp with a row for the lanes of a thread. Threads with short rows have idle lanes: a short range, no branch.
// OPTIONS: check=all,divergence:device=h100
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 256;
  Kokkos::View<int*> first("first", rows + 1);
  Kokkos::parallel_for("rows", rows + 1, KOKKOS_LAMBDA(int i) { first(i) = i / 8 * 48 + i % 8 * 2 + (i % 8 != 0 ? 32 : 0); });
  Kokkos::View<double*> a("a", rows / 8 * 48), y("y", rows);
  Kokkos::parallel_for("ones", rows / 8 * 48, KOKKOS_LAMBDA(int i) { a(i) = 1.0; });
  Kokkos::parallel_for(
      "spmv", Policy(rows / 32, 32, 8), KOKKOS_LAMBDA(Member const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 32), [&](int of_team) {
          int const i = team.league_rank() * 32 + of_team;
          double sum = 0;
          Kokkos::parallel_reduce(
              Kokkos::ThreadVectorRange(team, first(i), first(i + 1)), [&](int k, double& s) { s += a(k); }, sum);
          Kokkos::single(Kokkos::PerThread(team), [&] { y(i) = sum; });
        });
      });
}
