// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Redundant stores of many teams: what is said of them at the end of the launch, against a list of all of
// them.
#include "../../sim/detect/GlobalStores.hpp"
#include "../../sim/findings/Sentences.hpp"
#include "../../sim/memory/GlobalShadow.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
#include <random>
#include <set>
#include <vector>

using namespace teamsan;
using detect::FindingList;
using detect::GlobalStores;
using detect::Key;
using detect::RawFinding;

namespace {

constexpr std::uint32_t epoch = 5;
constexpr int launches = 60;
constexpr std::uintptr_t begin = arena::device + (std::uintptr_t{3} << 30);
constexpr std::uintptr_t untouched = begin + (std::uintptr_t{1} << 20);

Key key_of(std::uint32_t site) { return {Rule::global_race, Site{site}, Site{site + 1}, 17}; }

RawFinding finding() {
  RawFinding f;
  f.rule = Rule::global_race;
  return f;
}

/// A word that teams of the launch have raced on, or have not.
void set_raced(std::uintptr_t address, bool raced) {
  GlobalWord g;
  g.epoch = epoch;
  g.raced = raced;
  *global_shadow::cell(address) = global_shadow::pack_main(g);
  *global_shadow::extra(address) = global_shadow::pack_extra(g);
}

using Counts = std::map<std::pair<Rule, std::uintptr_t>, std::uint64_t>;

Counts counts_of(FindingList& findings) {
  Counts counts;
  for (auto const& [key, f] : findings.list()) {
    BOOST_REQUIRE(f.rule == key.rule);
    counts[{key.rule, number_of(key.site)}] += f.count;
  }
  return counts;
}

/// As the rule is told in GlobalStores.hpp.
Counts verdict(std::vector<GlobalStores::Store> const& stores, std::set<std::uintptr_t> const& raced) {
  Counts counts;
  for (GlobalStores::Store const& s : stores) {
    bool const races = raced.contains(s.address / 4 * 4);
    if (races && s.same_thread) continue;
    ++counts[{!races && s.same_value ? Rule::same_value : Rule::global_race, number_of(s.key.site)}];
  }
  return counts;
}

}  // namespace

BOOST_AUTO_TEST_CASE(iterations_race_whatever_they_stored) {
  arena::reserve();
  set_raced(begin, false);
  using Launch = GlobalStores::Launch;
  for (Launch const launch : {Launch::teams, Launch::one_team, Launch::iterations}) {
    GlobalStores of_team, of_launch;
    of_team.add({key_of(1), begin, true, false}, finding);
    of_launch.append(std::move(of_team), epoch);
    FindingList findings;
    of_launch.end_launch(epoch, findings, launch);
    BOOST_REQUIRE(findings.list().size() == 1u);
    RawFinding const& told = findings.list().front().second;
    BOOST_TEST((told.rule == (launch == Launch::iterations ? Rule::global_race : Rule::same_value)));
    teamsan::Reason const why = told.why.empty() ? teamsan::Reason::none : told.why.back().kind;
    BOOST_TEST((why == teamsan::Reason::equal_in_this_run) == (launch == Launch::iterations));
    BOOST_TEST((why == teamsan::Reason::error_with_more_teams) == (launch == Launch::one_team));
  }
}

BOOST_AUTO_TEST_CASE(counts_are_those_of_a_list_of_all_stores) {
  arena::reserve();
  std::mt19937 random(8);
  for (int launch = 0; launch != launches; ++launch) {
    std::vector<GlobalStores::Store> all;
    std::set<std::uintptr_t> raced;
    for (std::uintptr_t w = 0; w != 4096; ++w) set_raced(begin + 4 * w, false);
    GlobalStores of_launch;
    for (int team = 0; team != 8; ++team) {
      GlobalStores of_team;
      auto const store = [&](std::uintptr_t word, std::uint32_t site, bool same_value, bool same_thread) {
        GlobalStores::Store const s{key_of(site), begin + 4 * word, same_value, same_thread};
        all.push_back(s);
        of_team.add(s, finding);
      };
      switch (random() % 3) {
        case 0:  // each lane stores to the team's row
          for (int lane = 0; lane != 16; ++lane)
            for (std::uintptr_t k = 0; k != 64; ++k)
              store(static_cast<std::uintptr_t>(team) * 128 + 2 * k, 1, true, false);
          break;
        case 1:  // two stores in turn, the second of all teams to the same words
          for (int lane = 0; lane != 16; ++lane)
            for (std::uintptr_t k = 0; k != 32; ++k) {
              store(1024 + static_cast<std::uintptr_t>(team) * 32 + k, 2, true, true);
              store(2048 + k, 3, k % 2 == 0, false);
            }
          break;
        default:
          for (int i = 0; i != 2000; ++i)
            store(random() % 4096, 4 + random() % 3, random() % 2 == 0, random() % 2 == 0);
      }
      // Words turn out to be raced on when a team is committed, before or after others that stored to them.
      for (int i = 0; i != 20; ++i) {
        std::uintptr_t const word = begin + 4 * (random() % 4096);
        set_raced(word, true);
        raced.insert(word);
      }
      of_launch.append(std::move(of_team), epoch);
      BOOST_REQUIRE(of_team.empty());
    }
    FindingList findings;
    GlobalStores sum;  // what several teams did may be added too
    if (launch % 2 == 0) sum.append(std::move(of_launch), epoch);
    (launch % 2 == 0 ? sum : of_launch).end_launch(epoch, findings);
    BOOST_REQUIRE((counts_of(findings) == verdict(all, raced)));
    BOOST_REQUIRE(of_launch.empty());
  }
}

/// Whether lanes of a thread left a word of other values hangs, where teams race on the word, on when these came.
BOOST_AUTO_TEST_CASE(what_is_shown_lies_on_a_word_that_counts) {
  arena::reserve();
  set_raced(begin, true);
  set_raced(begin + 4, false);
  set_raced(begin + 8, false);
  auto const on_word = [](std::uint64_t number) {
    RawFinding f = finding();
    f.count = number;
    f.data.address = begin + 4 * number;
    return f;
  };
  for (bool const came_between : {false, true}) {
    GlobalStores of_launch;
    for (int team = 0; team != 2; ++team) {
      GlobalStores of_team;
      auto const store = [&](std::uint32_t site, std::uintptr_t word, bool same_value, bool same_thread) {
        of_team.add({key_of(site), begin + 4 * word, same_value, same_thread}, [&] { return on_word(word); });
      };
      if (came_between) store(1, 0, false, true);
      store(2, 1, false, false);
      if (team == 0) store(1, 2, false, true);
      store(3, 0, !came_between, false);
      store(3, 1, true, false);
      if (came_between && team == 0) store(4, 0, false, true);
      store(4, team == 0 ? 0 : 2, false, false);
      of_launch.append(std::move(of_team), epoch);
    }
    FindingList findings;
    of_launch.end_launch(epoch, findings, GlobalStores::Launch::teams, true);
    auto const& told = findings.list();
    BOOST_REQUIRE(told.size() == 5u);
    auto const is = [&](std::size_t i, std::uint32_t site, Rule rule, std::uintptr_t word, std::uint64_t count,
                        std::uint64_t teams, bool at_least) {
      auto const& [key, f] = told[i];
      BOOST_TEST((key.site == Site{site} && f.rule == rule && f.data.address == begin + 4 * word && f.count == count &&
                  f.teams == teams && f.at_least == at_least),
                 "finding " << i << " with values that came between: " << came_between);
    };
    is(0, 2, Rule::global_race, 1, 2, 2, false);
    is(1, 1, Rule::global_race, 2, 1, 1, true);
    is(2, 3, Rule::global_race, 0, 2, 1, true);
    is(3, 4, Rule::global_race, 0, 2, 2, false);
    is(4, 3, Rule::same_value, 1, 2, 1, true);
  }
}

BOOST_AUTO_TEST_CASE(what_every_team_does_to_a_row_of_its_own_is_little) {
  arena::reserve();
  GlobalStores of_launch;
  for (std::uintptr_t team = 0; team != 200; ++team) {
    GlobalStores of_team;
    for (int lane = 0; lane != 32; ++lane)
      for (std::uintptr_t k = 0; k != 128; ++k)
        of_team.add({key_of(1), untouched + (team * 128 + k) * 8, true, false}, finding);
    BOOST_REQUIRE(of_team.kept() == 128u);
    of_launch.append(std::move(of_team), epoch);
  }
  BOOST_TEST(of_launch.kept() == 1u);
  FindingList findings;
  of_launch.end_launch(epoch, findings);
  BOOST_TEST(findings.list().front().second.count == 200u * 32 * 128);
}

BOOST_AUTO_TEST_CASE(words_in_no_order_are_bounded_and_nobody_is_accused_beyond) {
  arena::reserve();
  GlobalStores of_launch;
  constexpr std::uintptr_t words = GlobalStores::most_runs * 3 / 2;
  for (bool const same_value : {true, false}) {
    GlobalStores of_team;
    for (std::uintptr_t i = 0; i != words; ++i)  // distances never repeat
      of_team.add({key_of(same_value), untouched + 4 * (i * 3 + i % 2 + i / 2 % 3), same_value, true},
                  finding);
    of_launch.append(std::move(of_team), epoch);
  }
  BOOST_TEST(of_launch.kept() <= GlobalStores::most_runs);
  FindingList findings;
  of_launch.end_launch(epoch, findings);
  Counts const counts = counts_of(findings);
  BOOST_TEST(counts.at({Rule::same_value, 1}) == words);
  BOOST_TEST(!counts.contains({Rule::same_value, 0}));
}
