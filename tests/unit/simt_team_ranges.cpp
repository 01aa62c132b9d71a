// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which lane runs which index of a nested range: threads take turns in a TeamThreadRange (and every vector
// lane of a thread runs its indices), vector lanes in a ThreadVectorRange, all lanes in a TeamVectorRange.
#include "SimtTeam.hpp"

#include <cstdio>

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

using Runs = Kokkos::View<int***, Space>;

/// Runs `loop(team, body)` with a body that notes which lane ran which index, then compares with
/// `runs_there(lane, i)`.
template <class Loop, class RunsThere>
void check_share(Shape const& shape, int begin, int end, Loop const& loop, RunsThere const& runs_there) {
  Runs runs("runs", shape.league, shape.lanes(), end + 1);
  Kokkos::parallel_for(
      "share", shape.policy(), KOKKOS_LAMBDA(Member const& team) {
        int const league = team.league_rank();
        int const me = lane();
        loop(team, [=](int i) { runs(league, me, i) += 1; });
      });
  auto const counted = on_host(runs);
  Differences differences;
  for (int league = 0; league < shape.league; ++league)
    for (int l = 0; l < shape.lanes(); ++l)
      for (int i = 0; i <= end; ++i) {
        int const expected = i >= begin && i < end && runs_there(l, i - begin) ? 1 : 0;
        differences.compare(counted(league, l, i), expected, "team", league, "lane", l, "index", i);
      }
}

}  // namespace

BOOST_AUTO_TEST_CASE(team_thread_range) {
  in_every_shape([](Shape const& s) {
    auto const there = [&](int l, int i) { return l / s.vector == i % s.team; };
    check_share(
        s, 0, 37,
        KOKKOS_LAMBDA(Member const& team, auto const& body) {
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 37), body);
        },
        there);
    check_share(
        s, 5, 20,
        KOKKOS_LAMBDA(Member const& team, auto const& body) {
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 5, 20L), body);
        },
        there);
  });
}

BOOST_AUTO_TEST_CASE(thread_vector_range) {
  in_every_shape([](Shape const& s) {
    auto const there = [&](int l, int i) { return l % s.vector == i % s.vector; };
    check_share(
        s, 0, 37,
        KOKKOS_LAMBDA(Member const& team, auto const& body) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 37), body);
        },
        there);
    check_share(
        s, 3, 9,
        KOKKOS_LAMBDA(Member const& team, auto const& body) {
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 3u, 9u), body);
        },
        there);
  });
}

BOOST_AUTO_TEST_CASE(team_vector_range) {
  in_every_shape([](Shape const& s) {
    auto const there = [&](int l, int i) { return l == i % s.lanes(); };
    check_share(
        s, 0, 150,
        KOKKOS_LAMBDA(Member const& team, auto const& body) {
          Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 150), body);
        },
        there);
    check_share(
        s, 7, 30,
        KOKKOS_LAMBDA(Member const& team, auto const& body) {
          Kokkos::parallel_for(Kokkos::TeamVectorRange(team, 7, 30), body);
        },
        there);
  });
}

#if __has_include(<traits/Kokkos_TeamHandleTrait.hpp>)
BOOST_AUTO_TEST_CASE(range_policy_over_a_team) {
  in_every_shape([](Shape const& s) {
    check_share(
        s, 2, 40,
        KOKKOS_LAMBDA(Member const& team, auto const& body) {
          Kokkos::parallel_for(Kokkos::RangePolicy<Member>(team, 2, 40), body);
        },
        [&](int l, int i) { return l == i % s.lanes(); });
  });
}
#else
BOOST_AUTO_TEST_CASE(without_range_policy_over_a_team) {
  std::puts("RangePolicy over a team left out: this Kokkos takes no team for an execution space");
}
#endif

BOOST_AUTO_TEST_CASE(threads_outside_lanes_inside) {
  in_every_shape([](Shape const& s) {
    constexpr int rows = 9, columns = 13;
    Kokkos::View<int***, Space> sums("sums", s.league, rows, columns);
    Kokkos::parallel_for(
        "nested", s.policy(), KOKKOS_LAMBDA(Member const& team) {
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int row) {
            Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, columns), [&](int column) {
              sums(team.league_rank(), row, column) += row * 100 + column;
            });
          });
        });
    auto const got = on_host(sums);
    Differences differences;
    for (int league = 0; league < s.league; ++league)
      for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column)
          differences.compare(got(league, row, column), row * 100 + column, "team", league, "at", row,
                              column);
  });
}

BOOST_AUTO_TEST_CASE(lanes_see_each_other_after_a_vector_range) {
  in_every_shape([](Shape const& s) {
    Kokkos::View<int***, Space> cells("cells", s.league, s.team, s.vector);
    every_lane_gets<int>(
        s,
        KOKKOS_LAMBDA(Member const& team) {
          auto const mine = Kokkos::subview(cells, team.league_rank(), team.team_rank(), Kokkos::ALL);
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, s.vector), [&](int i) { mine(i) = i + 1; });
          int sum = 0;
          for (int i = 0; i < s.vector; ++i) sum += mine(i);
          return sum;
        },
        [&](int) { return s.vector * (s.vector + 1) / 2; });
  });
}
