// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What cures a race: the table of cures, without any race.
#include "../../sim/detect/RaceCure.hpp"
#include "../../sim/findings/Sentences.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>
#include <vector>

using namespace teamsan;
using namespace teamsan::detect;

namespace {

constexpr Between everyone[] = {Between::vector_lanes, Between::threads, Between::iterations, Between::teams};

bool names(std::string const& cure, char const* what) { return cure.find(what) != std::string::npos; }

/// Without the lines that it names.
std::string cure_of(RaceFacts const& facts) { return say(race_row(facts).cure); }

/// All facts that may come together, as far as cures hang on them.
template <class Check>
void for_all(Check check) {
  for (Between const between : everyone)
    for (unsigned bits = 0; bits != 1u << 8; ++bits) {
      RaceFacts f;
      f.between = between;
      f.both_write = bits & 1;
      f.first_atomic = bits & 2;
      f.second_atomic = bits & 4;
      f.one_line = bits & 8;
      f.updates = (bits & 16) && f.one_line && !f.first_atomic;
      f.in_vector_loop = bits & 32;
      f.in_range = f.in_vector_loop || (bits & 64);
      f.in_team_range = f.in_range && (bits & 128);
      if (f.first_atomic && f.second_atomic) continue;  // no race
      check(f, cure_of(f));
    }
}

}  // namespace

BOOST_AUTO_TEST_CASE(every_race_has_one) {
  for_all([](RaceFacts const&, std::string const& cure) { BOOST_TEST(!cure.empty()); });
}

BOOST_AUTO_TEST_CASE(every_race_has_a_reason_that_is_about_the_two) {
  for_all([](RaceFacts const& f, std::string const&) {
    std::vector<Because> const why = race_row(f).why;
    BOOST_REQUIRE(why.size() == 1u);
    std::string_view const name = name_of(why[0].kind);
    BOOST_TEST(name.starts_with(f.between == Between::vector_lanes ? "lanes_"
                                : f.between == Between::threads    ? "interval_"
                                : f.between == Between::iterations ? "iterations_"
                                                                   : "teams_"),
               name);
    BOOST_TEST((why[0].kind != Reason::lanes_within_range || f.in_vector_loop));
  });
}

BOOST_AUTO_TEST_CASE(what_is_known_beside_is_said_behind_the_reason) {
  RaceFacts f;
  f.between = Between::threads;
  f.last_barrier = Site{5};
  f.interval = 2;
  f.one_macro = f.handing_word = true;
  RaceRow const row = race_row(f);
  BOOST_REQUIRE(row.why.size() == 3u);
  BOOST_TEST((row.why[0] == because(Reason::interval_since, 2, CodePlace{Site{5}, true})));
  BOOST_TEST((row.why[1].kind == Reason::both_in_one_macro));
  BOOST_TEST((row.why[2].kind == Reason::handing_word));
}

BOOST_AUTO_TEST_CASE(no_barrier_between_a_line_and_itself) {
  for_all([](RaceFacts const& f, std::string const& cure) {
    if (f.one_line) BOOST_TEST(!names(cure, "between"), cure);
  });
}

BOOST_AUTO_TEST_CASE(no_barrier_where_it_orders_nothing) {
  for_all([](RaceFacts const& f, std::string const& cure) {
    bool const of_team = f.between == Between::threads || (f.between == Between::vector_lanes && f.in_team_range);
    if (!of_team) BOOST_TEST(!names(cure, "team_barrier"), cure);
  });
}

BOOST_AUTO_TEST_CASE(what_each_vector_lane_repeats_is_not_made_atomic) {
  for_all([](RaceFacts const& f, std::string const& cure) {
    if (f.between == Between::vector_lanes && !f.in_vector_loop)
      BOOST_TEST(!names(cure, "make"), cure);  // "made atomic it would count once for each" is no cure
  });
}

BOOST_AUTO_TEST_CASE(of_iterations_no_team_is_spoken_of) {
  for_all([](RaceFacts const& f, std::string const&) {
    if (f.between != Between::iterations) return;
    for (bool const hands_over : {false, true}) {
      RaceFacts g = f;
      g.hands_over = hands_over;
      BOOST_TEST(!names(cure_of(g), "team"), cure_of(g));
    }
  });
}

BOOST_AUTO_TEST_CASE(what_is_atomic_is_not_made_atomic) {
  for_all([](RaceFacts const& f, std::string const& cure) {
    bool const half = f.first_atomic != f.second_atomic;
    if (half) BOOST_TEST(!names(cure, "make the update atomic"), cure);
    if (half && f.between != Between::vector_lanes)
      BOOST_TEST((names(cure, "both accesses atomic") || names(cure, "atomic too")), cure);
  });
}

BOOST_AUTO_TEST_CASE(a_loop_that_goes_round_past_its_barrier) {
  RaceFacts f;
  f.between = Between::threads;
  f.barrier_between = true;
  f.last_barrier = Site{5};
  BOOST_TEST((race_row(f).cure == remedy(Cure::barrier_on_each_way, CodePlace{Site{5}})));
}

BOOST_AUTO_TEST_CASE(a_read_of_what_another_team_writes_is_not_cured_by_an_atomic_alone) {
  RaceFacts f;
  f.between = Between::teams;
  std::string const cure = cure_of(f);
  BOOST_TEST((cure.find("atomic") > cure.find("where an old value does as well")), cure);
  f.first_atomic = true;
  BOOST_TEST(names(cure_of(f), "split the kernel"), cure_of(f));
}

BOOST_AUTO_TEST_CASE(a_store_is_no_update) {
  RaceFacts f;
  f.between = Between::vector_lanes;
  f.both_write = f.one_line = true;
  BOOST_TEST(names(cure_of(f), "put the store into single"), cure_of(f));
  f.updates = true;
  BOOST_TEST(names(cure_of(f), "put the update into single"), cure_of(f));
}

BOOST_AUTO_TEST_CASE(a_barrier_of_one_team_does_not_order_others) {
  RaceFacts f;
  f.between = Between::threads;
  f.first_atomic = true;
  BOOST_TEST(names(cure_of(f), "or put member.team_barrier()"), cure_of(f));
  f.other_teams = true;
  BOOST_TEST(names(cure_of(f), "where no other team comes to the element, member.team_barrier()"), cure_of(f));
}

BOOST_AUTO_TEST_CASE(a_barrier_stands_outside_ranges) {
  RaceFacts f;
  f.between = Between::threads;
  BOOST_TEST((race_row(f).cure.kind == Cure::barrier));
  f.in_range = true;
  BOOST_TEST((race_row(f).cure.kind == Cure::barrier_outside));
}

BOOST_AUTO_TEST_CASE(a_barrier_stands_in_no_branch) {
  RaceFacts f;
  f.between = Between::threads;
  f.in_branches = true;
  BOOST_TEST((race_row(f).cure.kind == Cure::barrier_or_flag));
  f.in_range = true;
  BOOST_TEST((race_row(f).cure.kind == Cure::barrier_outside));
}

BOOST_AUTO_TEST_CASE(one_lane_does_not_do_what_a_range_shares) {
  RaceFacts f;
  f.between = Between::threads;
  f.both_write = true;
  BOOST_TEST(names(cure_of(f), "one lane"));
  f.beside_range = true;
  BOOST_TEST(!names(cure_of(f), "one lane"));
  BOOST_TEST(names(cure_of(f), "team_barrier"));
  f.in_range = true;
  BOOST_TEST(!names(cure_of(f), "one lane"));
}
