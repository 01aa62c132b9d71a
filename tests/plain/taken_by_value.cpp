// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Bodies that hand what has been reduced to a function by value, and store what it returns member by member: by the compiler's
// own calls such a read is not seen, and the stores alone would look as if they dropped what was there.
#include <Kokkos_Core.hpp>

struct Sums {
  long weight = 0, count = 0;
  KOKKOS_FUNCTION Sums& operator+=(Sums const& other) {
    weight += other.weight;
    count += other.count;
    return *this;
  }
};
template <>
struct Kokkos::reduction_identity<Sums> {
  KOKKOS_FUNCTION static Sums sum() { return {}; }
};

[[gnu::noinline]] KOKKOS_FUNCTION Sums plus(Sums a, long weight) { return {a.weight + weight, a.count + 1}; }

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  using Policy = Kokkos::TeamPolicy<>;
  int const n = 1000;
  Sums all;
  Kokkos::parallel_reduce(
      "range", n,
      KOKKOS_LAMBDA(int i, Sums& sums) {
        Sums const next = plus(sums, i);
        sums.weight = next.weight;
        sums.count = next.count;
      },
      Kokkos::Sum<Sums>(all));
  Kokkos::View<long*> counts("counts", 8);
  Kokkos::parallel_for(
      "nested", Policy(8, 4), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Sums of_team;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 100),
            [&](int i, Sums& sums) {
              Sums const next = plus(sums, i);
              sums.weight = next.weight;
              sums.count = next.count;
            },
            Kokkos::Sum<Sums>(of_team));
        Kokkos::single(Kokkos::PerTeam(team), [&]() { counts(team.league_rank()) = of_team.count; });
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
  return all.count == n && all.weight == n * (n - 1L) / 2 && host(7) == 100 ? 0 : 1;
}
