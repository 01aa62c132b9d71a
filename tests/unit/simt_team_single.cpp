// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// single in its four forms and team_broadcast in its two: which lane runs the body, and who gets the value.
#include "SimtTeam.hpp"

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

/// Runs `which(team, body)` and compares where the body ran with `runs_there(lane)`.
template <class Which, class RunsThere>
void check_runs(Shape const& s, Which const& which, RunsThere const& runs_there) {
  Kokkos::View<int**, Space> runs("runs", s.league, s.lanes());
  Kokkos::parallel_for(
      "single", s.policy(),
      KOKKOS_LAMBDA(Member const& team) { which(team, [&] { runs(team.league_rank(), lane()) += 1; }); });
  auto const got = on_host(runs);
  Differences differences;
  for (int league = 0; league < s.league; ++league)
    for (int l = 0; l < s.lanes(); ++l) differences.compare(got(league, l), runs_there(l) ? 1 : 0, "lane", l);
}

}  // namespace

BOOST_AUTO_TEST_CASE(body_runs_once) {
  in_every_shape([](Shape const& s) {
    check_runs(
        s,
        KOKKOS_LAMBDA(Member const& team, auto const& body) { Kokkos::single(Kokkos::PerTeam(team), body); },
        [](int l) { return l == 0; });
    check_runs(
        s,
        KOKKOS_LAMBDA(Member const& team, auto const& body) {
          Kokkos::single(Kokkos::PerThread(team), body);
        },
        [&](int l) { return l % s.vector == 0; });
  });
}

BOOST_AUTO_TEST_CASE(value_per_team) {
  in_every_shape([](Shape const& s) {
    every_lane_gets<int>(
        s,
        KOKKOS_LAMBDA(Member const& team) {
          int value = -lane();
          Kokkos::single(
              Kokkos::PerTeam(team), [&](int& v) { v = 100 + team.league_rank() + lane(); }, value);
          return value;
        },
        [](int league) { return 100 + league; });
  });
}

BOOST_AUTO_TEST_CASE(value_per_thread) {
  in_every_shape([](Shape const& s) {
    every_lane_gets<int>(
        s,
        KOKKOS_LAMBDA(Member const& team) {
          int value = -1 - lane();
          Kokkos::single(
              Kokkos::PerThread(team), [&](int& v) { v = 7 * team.team_rank(); }, value);
          return value - 7 * team.team_rank();
        },
        [](int) { return 0; });
  });
}

BOOST_AUTO_TEST_CASE(single_per_thread_in_a_thread_range) {
  in_every_shape([](Shape const& s) {
    Kokkos::View<int**, Space> sums("sums", s.league, 20);
    Kokkos::parallel_for(
        "rows", s.policy(), KOKKOS_LAMBDA(Member const& team) {
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 20), [&](int row) {
            int sum = 0;
            Kokkos::parallel_reduce(
                Kokkos::ThreadVectorRange(team, row), [&](int i, int& u) { u += i; }, sum);
            Kokkos::single(Kokkos::PerThread(team), [&] { sums(team.league_rank(), row) += sum; });
          });
        });
    auto const got = on_host(sums);
    Differences differences;
    for (int league = 0; league < s.league; ++league)
      for (int row = 0; row < 20; ++row)
        differences.compare(got(league, row), row * (row - 1) / 2, league, row);
  });
}

BOOST_AUTO_TEST_CASE(broadcast) {
  in_every_shape([](Shape const& s) {
    for (int source : {0, s.team / 2, s.team - 1}) {
      every_lane_gets<int>(
          s,
          KOKKOS_LAMBDA(Member const& team) {
            int value = team.team_rank() * 10 + team.league_rank();
            team.team_broadcast(value, source);
            return value;
          },
          [&](int league) { return source * 10 + league; });
      // As on CUDA the closure runs on every lane, before the source's value goes round.
      Kokkos::View<int**, Space> runs("runs", s.league, s.lanes());
      every_lane_gets<int>(
          s,
          KOKKOS_LAMBDA(Member const& team) {
            int value = team.team_rank();
            team.team_broadcast(
                [&](int& v) {
                  v += 1000;
                  runs(team.league_rank(), lane()) += 1;
                },
                value, source);
            return value;
          },
          [&](int) { return source + 1000; });
      auto const ran = on_host(runs);
      for (int l = 0; l < s.lanes(); ++l) BOOST_TEST(ran(0, l) == 1);
    }
  });
}

BOOST_AUTO_TEST_CASE(barriers_separate_phases) {
  in_every_shape([](Shape const& s) {
    // Each lane passes its number along a ring of cells, one step a barrier.
    Kokkos::View<int**, Space> cells("cells", s.league, s.lanes());
    Kokkos::parallel_for(
        "ring", s.policy(), KOKKOS_LAMBDA(Member const& team) {
          int const me = lane(), league = team.league_rank();
          int carried = me;
          for (int step = 0; step < 5; ++step) {
            cells(league, me) = carried;
            team.team_barrier();
            carried = cells(league, (me + 1) % s.lanes());
            team.team_barrier();
          }
          cells(league, me) = carried;
        });
    auto const got = on_host(cells);
    Differences differences;
    for (int league = 0; league < s.league; ++league)
      for (int l = 0; l < s.lanes(); ++l) differences.compare(got(league, l), (l + 5) % s.lanes(), league, l);
  });
}
