// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Of two accesses that race: did atomics hand over from the one to the other? Decided from logs alone.
#include "../../sim/detect/Handovers.hpp"
#include "../../sim/machine/AtomicOrder.hpp"

#include <boost/test/unit_test.hpp>

using namespace teamsan::detect;
using teamsan::Site;

namespace {

constexpr std::uintptr_t flag = 0x1000, other_flag = 0x2000;

HandoverLog::Atomic change(std::uintptr_t address, std::uint64_t number, std::uint32_t lane, std::uint32_t tick,
                           std::uint32_t team_met = 0) {
  return {address, number, 0, Site{1}, lane, tick, 0, team_met, HandoverLog::never, true, false};
}
HandoverLog::Atomic look(std::uintptr_t address, std::uint64_t number, std::uint32_t lane, std::uint32_t tick,
                         std::uint32_t team_next = HandoverLog::never) {
  return {address, 0, number, Site{2}, lane, tick, 0, 0, team_next, false, true};
}
HandedAccess access(std::uint64_t team, std::uint32_t lane, std::uint32_t tick) { return {team, lane, tick, Site{3}, false}; }

/// Team 0 changes something, team 1 looks.
struct Launch {
  Handovers handovers{1, true};
  Launch(HandoverLog::Atomic const& by, HandoverLog::Atomic const& to) {
    keep(0, by);
    keep(1, to);
  }
  void keep(std::uint64_t team, HandoverLog::Atomic const& atomic) {
    HandoverLog log;
    log.atomics.push_back(atomic);
    handovers.keep(team, std::move(log));
  }
  bool hands_over(HandedAccess const& a, HandedAccess const& b, Handovers::Verdicts* verdicts = nullptr,
                  Handovers::Verdicts const* recorded = nullptr) {
    return handovers.find(a, b, verdicts, recorded).has_value();
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(what_lies_before_the_change_is_handed_to_what_lies_behind_the_look) {
  Launch launch(change(flag, 1, 5, 10), look(flag, 2, 7, 20));
  BOOST_TEST(launch.hands_over(access(0, 5, 10), access(1, 7, 21)));
  BOOST_TEST(!launch.hands_over(access(0, 5, 11), access(1, 7, 21)));  // behind the change
  BOOST_TEST(!launch.hands_over(access(0, 5, 10), access(1, 7, 20)));  // before the look
  BOOST_TEST(!launch.hands_over(access(1, 7, 10), access(0, 5, 21)));  // the other way round
}

BOOST_AUTO_TEST_CASE(a_look_that_came_first_saw_nothing) {
  Launch launch(change(flag, 2, 5, 10), look(flag, 1, 7, 20));
  BOOST_TEST(!launch.hands_over(access(0, 5, 10), access(1, 7, 21)));
}

BOOST_AUTO_TEST_CASE(another_word_hands_nothing_over) {
  Launch launch(change(flag, 1, 5, 10), look(other_flag, 2, 7, 20));
  BOOST_TEST(!launch.hands_over(access(0, 5, 10), access(1, 7, 21)));
}

BOOST_AUTO_TEST_CASE(other_lanes_need_a_barrier_on_either_side) {
  Launch launch(change(flag, 1, 5, 10, 8), look(flag, 2, 7, 20, 25));
  BOOST_TEST(launch.hands_over(access(0, 3, 7), access(1, 2, 25)));
  BOOST_TEST(!launch.hands_over(access(0, 3, 8), access(1, 2, 25)));
  BOOST_TEST(!launch.hands_over(access(0, 3, 7), access(1, 2, 24)));
}

BOOST_AUTO_TEST_CASE(an_access_of_unknown_time_is_handed_to_nobody) {
  Launch launch(change(flag, 1, 5, 10), look(flag, 2, 7, 20));
  BOOST_TEST(!launch.hands_over(access(0, 5, 10), access(1, 7, teamsan::AtomicOrder::unknown_tick)));
}

BOOST_AUTO_TEST_CASE(a_replay_goes_by_what_the_run_answered) {
  Handovers::Verdicts verdicts;
  Launch live(change(flag, 1, 5, 10), look(flag, 2, 7, 20));
  BOOST_TEST(live.hands_over(access(0, 5, 10), access(1, 7, 21), &verdicts));
  BOOST_TEST(verdicts.size() == 1u);
  Launch again(change(flag, 0, 5, 10), look(flag, 0, 7, 20));
  BOOST_TEST(again.hands_over(access(0, 5, 10), access(1, 7, 21), nullptr, &verdicts));
  Handovers::Verdicts const none;  // a trace from before this rule
  BOOST_TEST(!again.hands_over(access(0, 5, 10), access(1, 7, 21), nullptr, &none));
}

BOOST_AUTO_TEST_CASE(of_a_launch_that_is_full_what_was_told_before_is_told_again) {
  Launch launch(change(flag, 1, 5, 10), look(flag, 2, 7, 20));
  auto const found = launch.handovers.find(access(0, 5, 10), access(1, 7, 21), nullptr, nullptr);
  BOOST_REQUIRE(found.has_value());
  launch.handovers.tell(access(0, 5, 10), access(1, 7, 21), 4, *found);
  BOOST_TEST(!launch.handovers.told_before(access(8, 5, 10), access(9, 7, 21), 4).has_value());
  HandoverLog log;
  log.atomics.assign(Handovers::most, change(flag, 3, 5, 10));
  launch.handovers.keep(2, std::move(log));
  BOOST_TEST(launch.handovers.full());
  BOOST_TEST(launch.handovers.told_before(access(8, 5, 10), access(9, 7, 21), 4).has_value());
  BOOST_TEST(!launch.handovers.told_before(access(8, 5, 10), access(9, 7, 21), 5).has_value());
}
