// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans inside a team: over TeamThreadRange and ThreadVectorRange, inclusive and exclusive, with total, with
// reducers; and team_scan, with and without a sum over the teams.
#include "SimtTeam.hpp"

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

KOKKOS_FUNCTION long term(int league, int i) { return (i * 13 + league) % 17 + 1; }

long prefix(int league, int begin, int end) {
  long sum = 0;
  for (int i = begin; i < end; ++i) sum += term(league, i);
  return sum;
}

constexpr int counts[] = {0, 1, 31, 70};

}  // namespace

BOOST_AUTO_TEST_CASE(over_threads) {
  in_every_shape([](Shape const& s) {
    for (int n : counts) {
      Kokkos::View<long***, Space> before("before", s.league, s.vector, n + 1),
          upto("upto", s.league, s.vector, n + 1);
      every_lane_gets<long>(
          s,
          KOKKOS_LAMBDA(Member const& team) {
            int const league = team.league_rank(), v = vector_lane();
            long total = -5;
            Kokkos::parallel_scan(
                Kokkos::TeamThreadRange(team, n),
                [&](int i, long& sum, bool final) {
                  if (final) before(league, v, i) = sum;
                  sum += term(league, i);
                  if (final) upto(league, v, i) = sum;
                },
                total);
            return total;
          },
          [&](int league) { return prefix(league, 0, n); });
      auto const exclusive = on_host(before), inclusive = on_host(upto);
      Differences differences;
      for (int league = 0; league < s.league; ++league)
        for (int v = 0; v < s.vector; ++v)
          for (int i = 0; i < n; ++i) {
            differences.compare(exclusive(league, v, i), prefix(league, 0, i), "exclusive", league, v, i);
            differences.compare(inclusive(league, v, i), prefix(league, 0, i + 1), "inclusive", league, v, i);
          }
    }
  });
}

BOOST_AUTO_TEST_CASE(over_threads_from_begin_without_total) {
  in_every_shape([](Shape const& s) {
    constexpr int begin = 4, end = 45;
    Kokkos::View<long***, Space> before("before", s.league, s.vector, end);
    Kokkos::parallel_for(
        "scan", s.policy(), KOKKOS_LAMBDA(Member const& team) {
          int const league = team.league_rank(), v = vector_lane();
          Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, begin, end), [&](int i, long& sum, bool final) {
            if (final) before(league, v, i) = sum;
            sum += term(league, i);
          });
        });
    auto const got = on_host(before);
    Differences differences;
    for (int league = 0; league < s.league; ++league)
      for (int v = 0; v < s.vector; ++v)
        for (int i = begin; i < end; ++i)
          differences.compare(got(league, v, i), prefix(league, begin, i), "at", league, v, i);
  });
}

BOOST_AUTO_TEST_CASE(over_vector_lanes) {
  in_every_shape([](Shape const& s) {
    for (int n : counts) {
      Kokkos::View<long***, Space> before("before", s.league, s.team, n + 1);
      every_lane_gets<long>(
          s,
          KOKKOS_LAMBDA(Member const& team) {
            int const league = team.league_rank(), thread = team.team_rank();
            long total = -5;
            Kokkos::parallel_scan(
                Kokkos::ThreadVectorRange(team, n),
                [&](int i, long& sum, bool final) {
                  if (final) before(league, thread, i) = sum;
                  sum += term(league, i);
                },
                total);
            return total;
          },
          [&](int league) { return prefix(league, 0, n); });
      auto const got = on_host(before);
      Differences differences;
      for (int league = 0; league < s.league; ++league)
        for (int thread = 0; thread < s.team; ++thread)
          for (int i = 0; i < n; ++i)
            differences.compare(got(league, thread, i), prefix(league, 0, i), "at", league, thread, i);
    }
  });
}

BOOST_AUTO_TEST_CASE(over_vector_lanes_with_a_reducer) {
  in_every_shape([](Shape const& s) {
    constexpr int begin = 3, end = 44;
    Kokkos::View<long***, Space> most("most", s.league, s.team, end);
    every_lane_gets<long>(
        s,
        KOKKOS_LAMBDA(Member const& team) {
          int const league = team.league_rank(), thread = team.team_rank();
          long total = 0, last = 0;
          Kokkos::parallel_scan(
              Kokkos::ThreadVectorRange(team, begin, end),
              [&](int i, long& sofar, bool final) {
                sofar = Kokkos::max(sofar, term(league, i));
                if (final) most(league, thread, i) = sofar;
              },
              Kokkos::Max<long, Space>(total));
          // Without result: the lane that runs the last index sees the sum before it.
          Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, end), [&](int i, long& sum, bool final) {
            if (final && i == end - 1) last = sum;
            sum += i;
          });
          bool const mine = vector_lane() == (end - 1) % s.vector;
          return last == (mine ? (end - 1) * (end - 2) / 2 : 0) ? total : -1;
        },
        [&](int league) {
          long expected = 0;
          for (int i = begin; i < end; ++i) expected = std::max(expected, term(league, i));
          return expected;
        });
    auto const got = on_host(most);
    Differences differences;
    for (int league = 0; league < s.league; ++league)
      for (int thread = 0; thread < s.team; ++thread) {
        long expected = 0;
        for (int i = begin; i < end; ++i) {
          expected = std::max(expected, term(league, i));
          differences.compare(got(league, thread, i), expected, "at", league, thread, i);
        }
      }
  });
}

BOOST_AUTO_TEST_CASE(team_scan) {
  in_every_shape([](Shape const& s) {
    Kokkos::View<int**, Space> before("before", s.league, s.lanes());
    Kokkos::parallel_for(
        "team_scan", s.policy(), KOKKOS_LAMBDA(Member const& team) {
          before(team.league_rank(), lane()) = team.team_scan(team.team_rank() + 1 + team.league_rank());
        });
    auto const got = on_host(before);
    Differences differences;
    for (int league = 0; league < s.league; ++league)
      for (int l = 0; l < s.lanes(); ++l) {
        int const rank = l / s.vector;
        differences.compare(got(league, l), rank * (rank + 1) / 2 + rank * league, "team", league, "lane", l);
      }
  });
}

BOOST_AUTO_TEST_CASE(team_scan_onto_a_sum_over_the_teams) {
  in_every_shape([](Shape const& s) {
    Kokkos::View<int, Space> all("all");
    Kokkos::View<int**, Space> place("place", s.league, s.lanes());
    Kokkos::parallel_for(
        "team_scan", s.policy(), KOKKOS_LAMBDA(Member const& team) {
          place(team.league_rank(), lane()) = team.team_scan(team.team_rank() % 3 + 1, all.data());
        });
    auto const got = on_host(place);
    int total = 0, sum_per_team = 0;
    Kokkos::deep_copy(total, all);
    for (int rank = 0; rank < s.team; ++rank) sum_per_team += rank % 3 + 1;
    BOOST_TEST(total == s.league * sum_per_team);
    // Teams come in any order; each has a whole interval of its own, alike for the lanes of a thread.
    std::vector<bool> taken(static_cast<std::size_t>(s.league), false);
    Differences differences;
    for (int league = 0; league < s.league; ++league) {
      int const base = got(league, 0);
      BOOST_REQUIRE(base % sum_per_team == 0);
      BOOST_REQUIRE((base >= 0 && base < total));
      BOOST_TEST(!taken[static_cast<std::size_t>(base / sum_per_team)]);
      taken[static_cast<std::size_t>(base / sum_per_team)] = true;
      for (int rank = 0, sum = base; rank < s.team; sum += rank % 3 + 1, ++rank)
        for (int v = 0; v < s.vector; ++v)
          differences.compare(got(league, rank * s.vector + v), sum, league, rank, v);
    }
  });
}
