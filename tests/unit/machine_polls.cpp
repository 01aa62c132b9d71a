// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Whose word is as it was, and how often a team's turn may be left out for that.
#include "../../sim/base/Arena.hpp"
#include "../../sim/machine/Polls.hpp"
#include "../../sim/memory/Hot.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>

using teamsan::Polls;
namespace arena = teamsan::arena;

namespace {

/// Some device memory.
struct Memory {
  teamsan::RuntimeScope const scope{};  // no host access to it
  std::uint64_t* const words = (arena::reserve(), reinterpret_cast<std::uint64_t*>(arena::device));
  std::uintptr_t at(int byte) const { return reinterpret_cast<std::uintptr_t>(words) + static_cast<std::uintptr_t>(byte); }
};

}  // namespace

BOOST_AUTO_TEST_CASE(a_lane_waits_while_its_word_is_as_it_was) {
  Memory const memory;
  Polls polls;
  polls.begin_team();
  for (int log_bytes = 0; log_bytes != 4; ++log_bytes) {
    int const bytes = 1 << log_bytes;
    memory.words[0] = memory.words[1] = 0;
    Polls::Word const word{memory.at(8 - bytes), 0, log_bytes};
    polls.note(3, 4, &word);
    BOOST_TEST(polls.waits(3));
    memory.words[1] = ~std::uint64_t{0};                                         // the next word
    if (bytes < 8) memory.words[0] = (std::uint64_t{1} << 8 * (8 - bytes)) - 1;  // and all before it
    BOOST_TEST(polls.waits(3));
    memory.words[0] = std::uint64_t{1} << 63;  // the last byte of it
    BOOST_TEST(!polls.waits(3));
    memory.words[0] = 0;
    BOOST_TEST(polls.waits(3));
  }
}

BOOST_AUTO_TEST_CASE(nothing_is_known_of_lanes_that_let_others_run_for_something_else) {
  Memory const memory;
  Polls polls;
  polls.begin_team();
  Polls::Word const word{memory.at(0), 0, 2};
  BOOST_TEST(!polls.waits(0));
  polls.note(0, 2, &word);
  BOOST_TEST(polls.waits(0));
  BOOST_TEST(!polls.waits(1));
  polls.note(0, 2, nullptr);
  BOOST_TEST(!polls.waits(0));
  polls.note(1, 2, &word);
  polls.begin_team();
  BOOST_TEST(!polls.waits(1));
  // The host's memory may be gone by the next look at it.
  std::uint32_t on_the_host = 0;
  Polls::Word const of_the_host{reinterpret_cast<std::uintptr_t>(&on_the_host), 0, 2};
  polls.note(1, 2, &of_the_host);
  BOOST_TEST(!polls.waits(1));
}

BOOST_AUTO_TEST_CASE(every_so_often_a_turn_is_taken_all_the_same) {
  Polls polls;
  polls.begin_team();
  for (int round = 0; round != 3; ++round) {
    int left_out = 0;
    while (polls.leave_out_turn()) ++left_out;
    BOOST_TEST(left_out > 0);
    BOOST_TEST(left_out < 100);
  }
}
