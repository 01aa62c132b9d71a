// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// One thread of a team waits for another's flag of 24 bytes, which Kokkos reads and stores under one of its locks; others
// go on adding to an element of the same size meanwhile.
#include <Kokkos_Core.hpp>

struct Ticket {
  double number = 0, sum = 0, sign = 0;
  KOKKOS_FUNCTION Ticket& operator+=(Ticket const& other) {
    number += other.number;
    sum += other.sum;
    return *this;
  }
  KOKKOS_FUNCTION friend Ticket operator+(Ticket a, Ticket const& b) { return a += b; }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  int const league = 4, size = 32;
  Kokkos::View<Ticket*> flag("flag", league), total("total", league);
  Kokkos::View<double*> data("data", league), result("result", league);
  Kokkos::parallel_for(
      "flags", Policy(league, size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        int const i = team.league_rank();
        if (team.team_rank() == 0) {
          while (Kokkos::atomic_load(&flag(i)).number == 0) {
          }
          Kokkos::memory_fence();
          result(i) = data(i);
        } else if (team.team_rank() == size - 1) {
          data(i) = 10 + i;
          Kokkos::memory_fence();
          Kokkos::atomic_store(&flag(i), Ticket{1, 0, 0});
        } else {
          for (int n = 0; n != 200; ++n) Kokkos::atomic_add(&total(i), Ticket{1, 2, 0});
        }
      });
  auto const results = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), result);
  auto const totals = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), total);
  for (int i = 0; i != league; ++i)
    if (results(i) != 10 + i || totals(i).number != 200 * (size - 2)) return 1;
  return 0;
}
