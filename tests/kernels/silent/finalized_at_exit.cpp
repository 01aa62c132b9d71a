// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Kokkos is finalized by a handler of exit(), after a last kernel; the thread's own objects are gone by then.
#include <Kokkos_Core.hpp>

#include <cstdlib>

using Exec = Kokkos::DefaultExecutionSpace;

struct Cells {
  Kokkos::View<int*> all;
  Kokkos::View<int> sum;
};
Cells* cells = nullptr;

void mark(char const* label) {
  Kokkos::Experimental::UniqueToken<Exec, Kokkos::Experimental::UniqueTokenScope::Global> const token;
  auto const all = cells->all;
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Exec>(0, 100), KOKKOS_LAMBDA(int) {
        int const mine = token.acquire();
        Kokkos::atomic_inc(&all(mine % all.extent_int(0)));
        token.release(mine);
      });
}

void add(char const* label) {
  auto const all = cells->all;
  auto const sum = cells->sum;
  Kokkos::parallel_for(
      label, Kokkos::TeamPolicy<Exec>(4, 32), KOKKOS_LAMBDA(Kokkos::TeamPolicy<Exec>::member_type const& team) {
        int of_team = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 8), [&](int i, int& s) { s += all(team.league_rank() * 8 + i); }, of_team);
        Kokkos::single(Kokkos::PerTeam(team), [&] { Kokkos::atomic_add(&sum(), of_team); });
      });
}

void last() {
  Kokkos::Profiling::popRegion();
  Kokkos::Profiling::pushRegion("a region that begins after the thread's own objects have gone");
  mark("mark once more");
  add("add once more");
  int sum = 0;
  Kokkos::deep_copy(sum, cells->sum);
  Kokkos::Profiling::popRegion();
  delete cells;
  Kokkos::finalize();
  if (sum != 300) std::_Exit(1);
}

int main(int argc, char* argv[]) {
  Kokkos::initialize(argc, argv);
  std::atexit(last);
  cells = new Cells{Kokkos::View<int*>("all", 32), Kokkos::View<int>("sum")};
  Kokkos::Profiling::pushRegion("a region with a name that is too long to lie in the string itself");
  mark("mark");
  add("add");
}
