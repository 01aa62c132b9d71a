// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What has to work before TeamSan is trusted with a Kokkos that it has not been tried with: a kernel of each kind that is
// right, and, with the argument "wrong", two that are not. Results are compared; findings are left to the report.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <cstring>

namespace {

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Scratch = Kokkos::View<int*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int failures = 0;

void expect(bool right, char const* what) {
  if (right) return;
  std::printf("wrong result: %s\n", what);
  ++failures;
}

void range() {
  Kokkos::View<int*> const squares("squares", 1000);
  Kokkos::parallel_for(
      "range", 1000, KOKKOS_LAMBDA(int i) { squares(i) = i * i; });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), squares);
  expect(host(999) == 999 * 999, "parallel_for");
  int sum = 0;
  Kokkos::parallel_reduce(
      "sum", 1000, KOKKOS_LAMBDA(int i, int& part) { part += squares(i) % 7; }, sum);
  int right = 0;
  for (int i = 0; i != 1000; ++i) right += i * i % 7;
  expect(sum == right, "parallel_reduce");
}

void tiles() {
  Kokkos::View<int**, Kokkos::LayoutLeft> const table("table", 30, 20);
  Kokkos::parallel_for(
      "tiles", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {30, 20}),
      KOKKOS_LAMBDA(int i, int j) { table(i, j) = 100 * i + j; });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), table);
  expect(host(29, 19) == 2919 && host(3, 5) == 305, "MDRangePolicy");
}

void scan() {
  Kokkos::View<int*> const before("before", 500);
  int total = 0;
  Kokkos::parallel_scan(
      "scan", 500,
      KOKKOS_LAMBDA(int i, int& sum, bool last) {
        if (last) before(i) = sum;
        sum += i;
      },
      total);
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), before);
  expect(host(499) == 499 * 498 / 2 && total == 500 * 499 / 2, "parallel_scan");
}

void atomics() {
  Kokkos::View<int[8]> const bins("bins");
  Kokkos::parallel_for(
      "atomics", 800, KOKKOS_LAMBDA(int i) { Kokkos::atomic_add(&bins(i % 8), 1); });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), bins);
  expect(host(0) == 100 && host(7) == 100, "atomic_add");
}

/// Each thread reads what the next one has written to scratch, behind a barrier or not.
void teams(bool with_barrier) {
  Kokkos::View<int*> const sums("sums", 4);
  Kokkos::parallel_for(
      "teams", Policy(4, 32).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(32))),
      KOKKOS_LAMBDA(Member const& team) {
        Scratch const ranks(team.team_scratch(0), 32);
        ranks(team.team_rank()) = team.team_rank();
        if (with_barrier) team.team_barrier();
        int sum = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 32), [&](int i, int& part) { part += ranks((i + 1) % 32); }, sum);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sums(team.league_rank()) = sum; });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  if (with_barrier) expect(host(0) == 31 * 32 / 2 && host(3) == 31 * 32 / 2, "TeamPolicy");
}

void one_cell_for_all() {
  Kokkos::View<int**, Kokkos::LayoutRight> const cells("cells", 4, 8);
  Kokkos::parallel_for(
      "one cell for all", 64, KOKKOS_LAMBDA(int i) { cells(2, 3) = i; });
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  if (argc > 1 && std::strcmp(argv[1], "wrong") == 0) {
    teams(false);
    one_cell_for_all();
    return 0;
  }
  range();
  tiles();
  scan();
  atomics();
  teams(true);
  return failures;
}
