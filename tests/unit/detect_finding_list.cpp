// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A list of findings: counted, merged, and copied by another thread while its own fills it.
#include "../../sim/findings/RawFinding.hpp"

#include <boost/test/unit_test.hpp>

#include <thread>

using namespace teamsan;
using namespace teamsan::detect;

namespace {

Key key(std::uint32_t site) { return {Rule::scratch_race, Site{site}, Site{}, 0}; }

RawFinding finding(std::string title) {
  RawFinding f;
  f.rule = Rule::scratch_race;
  f.title = std::move(title);
  return f;
}

}  // namespace

BOOST_AUTO_TEST_CASE(equal_ones_are_counted) {
  FindingList list;
  BOOST_TEST(!list.count_again(key(1)));
  list.add(key(1), finding("one"));
  BOOST_TEST(list.count_again(key(1)));
  BOOST_TEST(list.count_again(key(1)));
  BOOST_TEST(list.find(key(1))->count == 3u);
}

BOOST_AUTO_TEST_CASE(merging_empties_the_team_and_adds_up) {
  FindingList launch, team;
  launch.add(key(1), finding("one"));
  team.add(key(2), finding("two"));
  team.add(key(1), finding("one"));
  launch.merge(std::move(team));
  BOOST_TEST(team.empty());
  BOOST_TEST(team.find(key(2)) == nullptr);
  BOOST_REQUIRE(launch.list().size() == 2u);
  BOOST_TEST(launch.list()[0].second.count == 2u);
  BOOST_TEST(launch.list()[0].second.teams == 2u);
  BOOST_TEST(launch.list()[1].second.title == "two");
  team.add(key(3), finding("three"));  // it is as good as new
  BOOST_TEST(team.list().size() == 1u);
}

BOOST_AUTO_TEST_CASE(moving_leaves_nothing_behind) {
  FindingList team;
  team.add(key(1), finding("one"));
  FindingList const kept(std::move(team));
  BOOST_TEST(!kept.empty());
  BOOST_TEST(team.empty());
  BOOST_TEST(!team.count_again(key(1)));
}

BOOST_AUTO_TEST_CASE(a_copy_taken_meanwhile_is_what_there_was_at_some_time) {
  constexpr std::uintptr_t most = 3000;
  FindingList list;
  std::thread owner([&] {
    for (std::uint32_t i = 0; i != most; ++i) {
      list.add(key(i), finding(std::to_string(i)));
      list.count_again(key(i / 2));
    }
  });
  bool right = true;
  std::size_t before = 0;
  while (before != most) {
    FindingList copy(list);
    right = right && copy.list().size() >= before;
    before = copy.list().size();
    for (std::uint32_t i = 0; i != before; ++i)
      right = right && copy.list()[i].second.title == std::to_string(i) && copy.find(key(i)) != nullptr;
  }
  owner.join();
  BOOST_TEST(right);
}
