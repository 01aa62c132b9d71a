// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the backend tells the simulator about the user's code: constructs are reported at the place where the
// user wrote them, results stored and arguments read on the user's behalf count as the lane's accesses, and
// bodies know which construct they are in.
#include "SimtTeam.hpp"

#include "../../sim/findings/Collector.hpp"
#include "../../sim/places/SourceFile.hpp"
#include "../../sim/process/FinishedReport.hpp"

#include <algorithm>
#include <initializer_list>

using namespace simt_team;
BOOST_TEST_GLOBAL_FIXTURE(KokkosGuard);

namespace {

using Ints = Kokkos::View<int*, Scratch, Kokkos::MemoryUnmanaged>;

Policy with_scratch(Shape const& s) {
  Policy policy = s.policy();
  policy.set_scratch_size(0, Kokkos::PerTeam(Ints::shmem_size(64)));
  return policy;
}

/// The findings so far, which are taken away: a test that expects them must not end with an error.
std::vector<teamsan::ReportedFinding> take_findings() {
  auto& collector = teamsan::Collector::instance();
  auto findings = teamsan::finished_report(collector).findings;
  collector.clear();
  return findings;
}

/// Is there a finding of this rule and severity, with sides on lines that hold these words (in any order)?
bool found(std::vector<teamsan::ReportedFinding> const& findings, teamsan::Rule rule,
           teamsan::Severity severity, std::initializer_list<char const*> words) {
  return std::any_of(findings.begin(), findings.end(), [&](auto const& f) {
    return f.finding.rule == rule && f.finding.severity == severity &&
           std::all_of(words.begin(), words.end(), [&](char const* word) {
             return std::any_of(f.sides.begin(), f.sides.end(), [&](auto const& side) {
               return side.source.find(word) != std::string::npos;
             });
           });
  });
}

constexpr auto add = [](int i, int& update) { update += i; };
constexpr auto nothing = [](int) {};

[[gnu::noinline]] void count(int* n) {
  int const before = *n;
  *n = before + 1;
}

constexpr auto error = teamsan::Severity::error, warning = teamsan::Severity::warning;

}  // namespace

BOOST_AUTO_TEST_CASE(result_in_scratch_is_a_write_of_every_lane) {
  Shape const s{2, 4, 2};
  every_lane_gets<int>(
      s, with_scratch(s),
      KOKKOS_LAMBDA(Member const& team) {
        Ints const shared(team.team_scratch(0), 1);
        Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 5), add, shared(0));  // all
        team.team_barrier();
        return shared(0);
      },
      [](int) { return 10; });
  BOOST_TEST(take_findings().empty());  // the construct's own identical stores
}

BOOST_AUTO_TEST_CASE(late_results_overwrite_what_came_between) {
  Shape const s{2, 4, 1};
  Kokkos::parallel_for(
      "late", with_scratch(s), KOKKOS_LAMBDA(Member const& team) {
        Ints const shared(team.team_scratch(0), 1);
        Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 5), add, shared(0));  // late
        Kokkos::single(Kokkos::PerTeam(team), [&] { shared(0) += 1; });             // between
      });
  auto const findings = take_findings();
  BOOST_TEST(found(findings, teamsan::Rule::scratch_race, error, {"// late"}));
}

// What was called there is known of a race of two stores, too, which is judged once their lane is left, however many other
// stores of the lane wait for that: of a library's own function that is the user's line.
BOOST_AUTO_TEST_CASE(racing_stores_have_callers_behind_many_others) {
  Shape const s{2, 1, 2};
  Kokkos::parallel_for(
      "counted", with_scratch(s), KOKKOS_LAMBDA(Member const& team) {
        Ints const shared(team.team_scratch(0), 40);
        for (int i = 0; i < 40; ++i) shared(i) = 0;  // by both lanes alike
        team.team_barrier();
        for (int i = 0; i < 39; ++i) shared(i) = 0;
        count(&shared(39));  // counted
      });
  auto const findings = take_findings();
  auto const of_stores = std::find_if(findings.begin(), findings.end(), [](auto const& f) {
    return f.sides.size() == 2 && f.sides[0].side.access == teamsan::AccessKind::write &&
           f.sides[1].side.access == teamsan::AccessKind::write;
  });
  BOOST_REQUIRE((of_stores != findings.end()));
  auto const is_called = [](auto const& side) {
    return std::any_of(side.trail.callers.begin(), side.trail.callers.end(), [](teamsan::Place const& at) {
      return teamsan::source_line(at.path, at.line).find("// counted") != std::string::npos;
    });
  };
  BOOST_TEST(std::any_of(of_stores->sides.begin(), of_stores->sides.end(), is_called));
}

BOOST_AUTO_TEST_CASE(broadcast_into_scratch_initialises_it) {
  Shape const s{2, 4, 1};
  every_lane_gets<int>(
      s, with_scratch(s),
      KOKKOS_LAMBDA(Member const& team) {
        Ints const shared(team.team_scratch(0), s.team);
        int& mine = shared(team.team_rank());
        if (team.team_rank() == 0) mine = 5;
        team.team_broadcast(mine, 0);
        return mine;
      },
      [](int) { return 5; });
  BOOST_TEST(take_findings().empty());
}

BOOST_AUTO_TEST_CASE(arguments_are_read) {
  Shape const s{2, 4, 1};
  Kokkos::parallel_for(
      "arguments", with_scratch(s), KOKKOS_LAMBDA(Member const& team) {
        Ints const shared(team.team_scratch(0), s.team);
        int& mine = shared(team.team_rank());
        team.team_scan(mine);  // scanned
      });
  BOOST_TEST(found(take_findings(), teamsan::Rule::uninit_scratch, error, {"// scanned"}));
  Kokkos::parallel_for(
      "arguments", with_scratch(s), KOKKOS_LAMBDA(Member const& team) {
        Ints const shared(team.team_scratch(0), s.team);
        team.team_broadcast(shared(team.team_rank()), 2);  // sent
      });
  BOOST_TEST(found(take_findings(), teamsan::Rule::uninit_scratch, error, {"// sent"}));
}

BOOST_AUTO_TEST_CASE(collectives_are_named_where_they_stand) {
  Kokkos::parallel_for(
      "apart", Policy(1, 4), KOKKOS_LAMBDA(Member const& team) {
        int value = 0;
        if (team.team_rank() < 2)
          team.team_barrier();  // here
        else
          Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, 5), add, value);  // there
      });
  BOOST_TEST(found(take_findings(), teamsan::Rule::barrier_divergence, error, {"// here", "// there"}));
  Kokkos::parallel_for(
      "vector apart", Policy(1, 2, 4), KOKKOS_LAMBDA(Member const& team) {
        int value = 0;
        if (vector_lane() == 0)
          Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(team, 5), add, value);  // first
        else
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 5), nothing);  // second
      });
  BOOST_TEST(found(take_findings(), teamsan::Rule::barrier_divergence, error, {"// first", "// second"}));
}

BOOST_AUTO_TEST_CASE(bodies_know_their_construct) {
  Kokkos::parallel_for(
      "nesting", Policy(1, 2, 2), KOKKOS_LAMBDA(Member const& team) {
        Kokkos::single(Kokkos::PerThread(team), [&] { team.team_barrier(); });  // in single
        Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, 2), [&](int) {
          Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 2), nothing);  // in lanes
        });
      });
  auto const findings = take_findings();
  BOOST_TEST(found(findings, teamsan::Rule::nesting, error, {"// in single"}));
  BOOST_TEST(found(findings, teamsan::Rule::nesting, warning, {"// in lanes"}));
}

BOOST_AUTO_TEST_CASE(hierarchies_that_exist_are_silent) {
  in_every_shape([](Shape const& s) {
    Kokkos::View<int**, Space> got("got", s.league, s.lanes());
    Kokkos::parallel_for(
        "hierarchy", s.policy(), KOKKOS_LAMBDA(Member const& team) {
          int total = 0;
          Kokkos::parallel_reduce(
              Kokkos::TeamThreadRange(team, 6),
              [&](int row, int& sum) {
                int part = 0;
                Kokkos::parallel_reduce(
                    Kokkos::ThreadVectorRange(team, row), [](int i, int& u) { u += i; }, part);
                Kokkos::single(
                    Kokkos::PerThread(team), [&](int& p) { p += 1; }, part);
                sum += part;
              },
              total);
          Kokkos::single(
              Kokkos::PerTeam(team), [&](int& t) { t *= 2; }, total);
          got(team.league_rank(), lane()) = total;
        });
    auto const values = on_host(got);
    Differences differences;
    for (int league = 0; league < s.league; ++league)
      for (int l = 0; l < s.lanes(); ++l) differences.compare(values(league, l), 2 * (20 + 6), league, l);
    BOOST_TEST(take_findings().empty());
  });
}
