// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A reducer of the program's own on a struct with padding, on every level and inside itself; several results at once;
// results in elements of a View.
#include <Kokkos_Core.hpp>

#include <cstdlib>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Space = Kokkos::DefaultExecutionSpace;

struct Stats {
  double sum = 0, least = 1e300, most = -1e300;
  int count = 0;
  char kind = 's';
  KOKKOS_FUNCTION void add(double value) {
    sum += value;
    least = value < least ? value : least;
    most = value > most ? value : most;
    ++count;
  }
  KOKKOS_FUNCTION void join(Stats const& other) {
    sum += other.sum;
    least = other.least < least ? other.least : least;
    most = other.most > most ? other.most : most;
    count += other.count;
  }
};

template <class ResultSpace>
struct StatsReducer {
  using reducer = StatsReducer;
  using value_type = Stats;
  using result_view_type = Kokkos::View<Stats, ResultSpace, Kokkos::MemoryUnmanaged>;
  KOKKOS_FUNCTION explicit StatsReducer(Stats& result) : m_result(&result) {}
  KOKKOS_FUNCTION void join(Stats& into, Stats const& from) const { into.join(from); }
  KOKKOS_FUNCTION void init(Stats& value) const { value = Stats(); }
  KOKKOS_FUNCTION Stats& reference() const { return *m_result.data(); }
  KOKKOS_FUNCTION result_view_type view() const { return m_result; }
  KOKKOS_FUNCTION bool references_scalar() const { return true; }
  result_view_type m_result;
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 10, rows = 10, columns = 10, n = league * rows * columns;
  Kokkos::View<double*> x("x", n);
  Kokkos::View<Stats*> of_team("of team", league);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) { x(i) = i * 37 % 101; });
  for (int const vector : {1, 4, 32})
    for (int const team : {1, 3, 8}) {
      Kokkos::parallel_for(
          "teams", Policy(league, team, vector).set_chunk_size(2), KOKKOS_LAMBDA(Member const& member) {
            Stats all;
            Kokkos::parallel_reduce(
                Kokkos::TeamThreadRange(member, rows),
                [&](int row, Stats& update) {
                  Stats of_row;
                  Kokkos::parallel_reduce(
                      Kokkos::ThreadVectorRange(member, columns),
                      [&](int column, Stats& inner) {
                        inner.add(x((member.league_rank() * rows + row) * columns + column));
                      },
                      StatsReducer<Space>(of_row));
                  update.join(of_row);
                },
                StatsReducer<Space>(all));
            Kokkos::single(Kokkos::PerTeam(member), [&] { of_team(member.league_rank()) = all; });
          });
      Stats all;
      Kokkos::parallel_reduce(
          "all", league, KOKKOS_LAMBDA(int l, Stats& update) { update.join(of_team(l)); },
          StatsReducer<Kokkos::HostSpace>(all));
      if (all.count != n || all.least != 0 || all.most != 100) std::abort();
    }
  double sum = 0, product = 0;
  Kokkos::ValLocScalar<double, int> nearest;
  Kokkos::parallel_reduce(
      "three at once", n,
      KOKKOS_LAMBDA(int i, double& s, double& p, Kokkos::ValLocScalar<double, int>& m) {
        s += i;
        p *= 1;
        double const distance = i < 500 ? 500.25 - i : i - 499.75;
        if (distance < m.val) m = {distance, i};
      },
      sum, Kokkos::Prod<double>(product), Kokkos::MinLoc<double, int>(nearest));
  if (sum != n * (n - 1) / 2. || product != 1 || nearest.loc != 500) std::abort();
  Kokkos::View<long*> sums("sums", 8);
  for (int k = 0; k < 8; ++k)
    Kokkos::parallel_reduce(
        "to an element", n, KOKKOS_LAMBDA(int i, long& update) { update += i % (k + 1); }, Kokkos::subview(sums, k));
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  if (result(1) != n / 2) std::abort();
}
