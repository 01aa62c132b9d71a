// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Right bodies of reductions over teams and of scans that store to their value: flags, parts of a value, what a construct
// leaves, joins that keep the later value, what was read before.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

struct Sums {
  int count, sum;
  KOKKOS_FUNCTION Sums& operator+=(Sums const& other) {
    count += other.count;
    sum += other.sum;
    return *this;
  }
};
KOKKOS_FUNCTION Sums added(Sums const a, Sums const b) { return {a.count + b.count, a.sum + b.sum}; }

/// A part that each team sets to the same, and one that it adds to.
struct Marked {
  using value_type = Sums;
  KOKKOS_FUNCTION void operator()(Member const& team, Sums& sums) const {
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      sums.count = 1;
      sums.sum += team.league_rank();
    });
  }
  KOKKOS_FUNCTION void init(Sums& sums) const { sums = {0, 0}; }
  KOKKOS_FUNCTION void join(Sums& to, Sums const& from) const {
    to.count |= from.count;
    to.sum += from.sum;
  }
};

/// The value is handed over and comes back.
struct Handed {
  using value_type = Sums;
  KOKKOS_FUNCTION void operator()(Member const& team, Sums& sums) const {
    Kokkos::single(Kokkos::PerTeam(team), [&] { sums = added(sums, {1, team.league_rank()}); });
  }
  KOKKOS_FUNCTION void init(Sums& sums) const { sums = {0, 0}; }
  KOKKOS_FUNCTION void join(Sums& to, Sums const& from) const { to += from; }
};

/// An array, one part of which is a flag.
struct Array {
  using value_type = int[];
  unsigned value_count = 3;
  KOKKOS_FUNCTION void operator()(Member const& team, int* values) const {
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      values[0] = 1;
      values[1] += 1;
      values[2] = team.league_rank() + values[2];
    });
  }
  KOKKOS_FUNCTION void init(int* values) const { values[0] = values[1] = values[2] = 0; }
  KOKKOS_FUNCTION void join(int* to, int const* from) const {
    to[0] |= from[0];
    to[1] += from[1];
    to[2] += from[2];
  }
};

/// What is behind the latest head: a head begins anew. A part knows where it lies, since scans join in either order.
struct Segments {
  struct value_type {
    int head, first, sum;
  };
  static constexpr int none = -1;
  Kokkos::View<int*> out;
  KOKKOS_FUNCTION void operator()(int i, value_type& update, bool final) const {
    if (i % 7 == 0)
      update = {i, update.first == none ? i : update.first, i};
    else
      update = {update.head, update.first == none ? i : update.first, update.sum + i};
    if (final) out(i) = update.sum;
  }
  KOKKOS_FUNCTION void init(value_type& v) const { v = {none, none, 0}; }
  KOKKOS_FUNCTION void join(value_type& to, value_type const& from) const {
    int const head = to.head > from.head ? to.head : from.head;
    int const sum = (to.head == head || to.first > head ? to.sum : 0) + (from.head == head || from.first > head ? from.sum : 0);
    int const first = to.first == none || (from.first != none && from.first < to.first) ? from.first : to.first;
    to = {head, first, sum};
  }
};

/// The index of the latest element that is there: each call has one.
struct Latest {
  using value_type = int;
  Kokkos::View<int*> out;
  KOKKOS_FUNCTION void operator()(int i, int& update, bool final) const {
    update = i + 1;
    if (final) out(i) = update;
  }
  KOKKOS_FUNCTION void init(int& v) const { v = 0; }
  KOKKOS_FUNCTION void join(int& to, int const& from) const {
    if (to == 0) to = from;
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const teams = 24, expected = teams * (teams - 1) / 2;
  Policy const policy(teams, 8, 4);
  int wrong = 0;

  Sums marked, handed;
  Kokkos::parallel_reduce("marked", policy, Marked(), marked);
  Kokkos::parallel_reduce("handed", policy, Handed(), handed);
  wrong += marked.count != 1 || marked.sum != expected || handed.count != teams || handed.sum != expected;
  Kokkos::View<int[3], Kokkos::HostSpace> array("array");
  Kokkos::parallel_reduce("array", Policy(teams, 64), Array(), array);  // a wide warp's, at least
  Kokkos::fence();
  wrong += array(0) != 1 || array(1) != teams || array(2) != expected;

  int flag = 0, all = 0, found = 0, lasting = 0, largest = 0, most = 0;
  Kokkos::parallel_reduce(
      "flag", policy, KOKKOS_LAMBDA(Member const&, int& bad) { bad = 1; }, flag);
  Kokkos::parallel_reduce(
      "any", policy,
      KOKKOS_LAMBDA(Member const& team, int& any) { any = team.league_rank() >= 0 || any; }, Kokkos::LOr<int>(found));
  Kokkos::parallel_reduce(
      "each", policy,
      KOKKOS_LAMBDA(Member const& team, int& each) {
        if (team.team_rank() >= 0) each += 1;
      },
      all);
  Kokkos::parallel_reduce(
      "single with a value", policy,
      KOKKOS_LAMBDA(Member const& team, int& top) {
        Kokkos::single(
            Kokkos::PerTeam(team), [&](int& t) { t = t > 3 * team.league_rank() ? t : 3 * team.league_rank(); }, top);
      },
      Kokkos::Max<int>(largest));
  Kokkos::parallel_reduce(
      "broadcast", policy,
      KOKKOS_LAMBDA(Member const& team, int& top) {
        if (team.team_rank() == 0) top = top > team.league_rank() ? top : team.league_rank();
        team.team_broadcast(top, 0);
      },
      Kokkos::Max<int>(most));
  Kokkos::parallel_reduce(
      "kept aside", policy,
      KOKKOS_LAMBDA(Member const& team, int& sum) {
        int const before = sum;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, 10), [&](int k, int& s) { s += k; }, sum);
        if (team.team_rank() == 0)
          sum += before;
        else
          sum = before;
      },
      lasting);
  wrong += flag == 0 || found != 1 || all != teams * 8 || largest != 3 * (teams - 1) || most != teams - 1 ||
           lasting != 45 * teams;

  using Location = Kokkos::MinLoc<int, int>::value_type;
  Location least;
  Kokkos::parallel_reduce(
      "least", policy,
      KOKKOS_LAMBDA(Member const& team, Location& at) {
        int const value = (team.league_rank() * 7 + 3) % 19;
        if (value < at.val) {
          at.val = value;
          at.loc = team.league_rank();
        }
      },
      Kokkos::MinLoc<int, int>(least));
  wrong += least.val != 0;

  for (int const n : {50, 3000, 40000}) {
    Kokkos::View<int*> a("a", n), b("b", n), segments("segments", n), latest("latest", n);
    int total = 0, places = 0;
    Kokkos::parallel_for(
        "fill", n, KOKKOS_LAMBDA(int i) { a(i) = i % 3; });
    Kokkos::parallel_scan(
        "in place", n,
        KOKKOS_LAMBDA(int i, int& update, bool final) {
          int const own = a(i);
          if (final) a(i) = update;
          update += own;
        },
        total);
    Kokkos::parallel_scan(
        "two ways", n, KOKKOS_LAMBDA(int i, int& update, bool final) {
          if (final) {
            int const before = update;
            update = before + 1;
            b(i) = before;
          } else {
            ++update;
          }
        });
    Kokkos::parallel_scan(
        "places", n,
        KOKKOS_LAMBDA(int i, int& update, bool final) {
          if (i % 5 != 0) return;
          if (final) b(update) = i;
          update = update + 1;
        },
        places);
    Kokkos::parallel_scan("segments", n, Segments{segments});
    Kokkos::parallel_scan("latest", n, Latest{latest});
    auto const segments_on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), segments);
    auto const latest_on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), latest);
    wrong += total != n / 3 * 3 + (n % 3 == 2) || places != (n + 4) / 5 || latest_on_host(n - 1) != n;
    for (int i = 0, sum = 0; i != n; ++i) wrong += segments_on_host(i) != (sum = i % 7 == 0 ? i : sum + i);
  }

  Kokkos::View<int**> place("place", teams, 100);
  int rows = 0;
  Kokkos::parallel_reduce(
      "nested scans", policy,
      KOKKOS_LAMBDA(Member const& team, int& sum) {
        int of_team = 0, of_thread = 0;
        Kokkos::parallel_scan(
            Kokkos::TeamThreadRange(team, 100),
            [&](int j, int& update, bool final) {
              if (final && j < 100) place(team.league_rank(), j) = update;
              update += j % 2;
            },
            of_team);
        Kokkos::parallel_scan(
            Kokkos::ThreadVectorRange(team, 40), [&](int j, int& update, bool) { update += j; }, of_thread);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sum += (of_team == 50) + (of_thread == 780); });
      },
      rows);
  return wrong == 0 && rows == 2 * teams ? 0 : 1;
}
