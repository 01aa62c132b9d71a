// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kokkos' own algorithms, over all the device and within a team.
#include <Kokkos_Core.hpp>

#include <Kokkos_NestedSort.hpp>
#include <Kokkos_Sort.hpp>
#include <Kokkos_StdAlgorithms.hpp>

#include <cstdlib>

using Policy = Kokkos::TeamPolicy<>;
namespace ke = Kokkos::Experimental;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const space;
  int const n = 3000, rows = 20, columns = 96;
  Kokkos::View<int*> a("a", n), b("b", n);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { a(i) = (7919 * i) % n; });
  Kokkos::sort(a);
  if (!ke::is_sorted(space, a)) std::abort();
  ke::inclusive_scan(space, a, b);
  ke::exclusive_scan(space, a, b, 0);
  ke::reverse(space, b);
  if (ke::count_if(space, a, KOKKOS_LAMBDA(int x) { return x % 2 == 0; }) == 0) std::abort();
  ke::unique(space, a);
  ke::copy_if(space, a, b, KOKKOS_LAMBDA(int x) { return x % 3 == 0; });
  ke::partition_copy(space, ke::begin(a), ke::begin(a) + n / 2, ke::begin(b), ke::begin(b) + n / 2,
                     KOKKOS_LAMBDA(int x) { return x % 2 == 0; });
  if (ke::transform_reduce(space, a, a, 0L) == 0) std::abort();
  if (ke::find(space, a, n / 2) == ke::end(a)) std::abort();

  Kokkos::View<int**, Kokkos::LayoutRight> m("m", rows, columns), scans("scans", rows, columns);
  Kokkos::parallel_for(
      "within teams", Policy(rows, 16, 2), KOKKOS_LAMBDA(Policy::member_type const& team) {
        auto const row = Kokkos::subview(m, team.league_rank(), Kokkos::ALL);
        auto const scan = Kokkos::subview(scans, team.league_rank(), Kokkos::ALL);
        Kokkos::parallel_for(Kokkos::TeamVectorRange(team, columns), [&](int i) { row(i) = (37 * i) % columns; });
        team.team_barrier();
        ke::sort_team(team, row);
        ke::inclusive_scan(team, row, scan);
        ke::fill(team, row, 1);
        int const ones = ke::count(team, row, 1);
        if (ones != columns) Kokkos::abort("count");
        ke::exclusive_scan(team, row, scan, 0);
      });
  int wrong = 0;
  Kokkos::parallel_reduce(
      "check", rows * columns, KOKKOS_LAMBDA(int i, int& sum) { sum += scans(i / columns, i % columns) != i % columns; },
      wrong);
  if (wrong != 0) std::abort();
}
// EXPECT-NONE
