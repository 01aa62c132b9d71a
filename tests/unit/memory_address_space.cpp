// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which addresses are handed out, against sets of single addresses.
#include "../../sim/memory/AddressSpace.hpp"

#include <boost/test/unit_test.hpp>

#include <deque>
#include <map>
#include <random>
#include <set>
#include <vector>

using teamsan::AddressRange;
using teamsan::AddressSpace;
using teamsan::RangeSet;

BOOST_AUTO_TEST_CASE(a_range_set_is_a_set_of_addresses) {
  constexpr std::uintptr_t first = 100, last = 160;
  std::mt19937 random(1);
  auto const number = [&](std::uintptr_t below) { return static_cast<std::uintptr_t>(random() % below); };
  RangeSet ranges;
  std::set<std::uintptr_t> oracle;
  auto const around = [&](std::uintptr_t address) {
    AddressRange range{address, address};
    if (!oracle.contains(address)) return AddressRange{};
    while (oracle.contains(range.begin - 1)) --range.begin;
    while (oracle.contains(range.end)) ++range.end;
    return range;
  };
  for (int step = 0; step != 3000; ++step) {
    AddressRange range{first + number(last - first), 0};
    bool const inside = oracle.contains(range.begin);
    range.end = range.begin;
    do ++range.end;
    while (range.end != last && oracle.contains(range.end) == inside && number(4) != 0);
    for (std::uintptr_t a = range.begin; a != range.end; ++a)
      inside ? void(oracle.erase(a)) : void(oracle.insert(a));
    if (inside)
      ranges.remove(range);
    else
      BOOST_REQUIRE((ranges.add(range) == around(range.begin)));
    for (std::uintptr_t a = first - 1; a <= last; ++a) BOOST_REQUIRE((ranges.around(a) == around(a)));
    std::size_t const bytes = 1 + number(8);
    AddressRange best;
    for (std::uintptr_t a = first; a != last; ++a)
      if (AddressRange const r = around(a);
          r.begin == a && r.bytes() >= bytes && (best.bytes() == 0 || r.bytes() < best.bytes()))
        best = r;
    BOOST_REQUIRE((ranges.best_fit(bytes) == best));
  }
}

namespace {

/// Blocks that are taken and given back at random: none lies where another does, and what rests is given to
/// nobody.
void take_and_give_back(std::size_t room, std::vector<std::size_t> const& sizes, int steps, bool must_fit) {
  AddressRange const all{1 << 20, (1 << 20) + room};
  AddressSpace space(all);
  std::mt19937 random(7);
  std::map<std::uintptr_t, std::uintptr_t> taken;  // begin, end
  std::deque<AddressRange> given;                  // since the blocks before rest no more for certain
  std::size_t given_bytes = 0;
  for (int step = 0; step != steps; ++step) {
    if (taken.size() < 20 && random() % 2 == 0) {
      std::size_t const bytes = sizes[random() % sizes.size()];
      std::uintptr_t const begin = space.take(bytes);
      if (must_fit) BOOST_REQUIRE(begin != 0u);
      if (begin == 0) continue;
      BOOST_REQUIRE((begin >= all.begin && begin + bytes <= all.end));
      auto const after = taken.upper_bound(begin);
      if (after != taken.end()) BOOST_REQUIRE(begin + bytes <= after->first);
      if (after != taken.begin()) BOOST_REQUIRE(std::prev(after)->second <= begin);
      if (must_fit)
        for (AddressRange const& g : given) BOOST_REQUIRE((begin >= g.end || begin + bytes <= g.begin));
      taken.emplace(begin, begin + bytes);
      BOOST_REQUIRE(!space.is_idle({begin, begin + bytes}));
    } else if (!taken.empty()) {
      auto const block = std::next(taken.begin(), static_cast<std::ptrdiff_t>(random() % taken.size()));
      AddressRange const range{block->first, block->second};
      taken.erase(block);
      space.give_back(range);
      given.push_back(range);
      given_bytes += range.bytes();
      while (given.size() > 1 && given_bytes > AddressSpace::small_rest) {
        given_bytes -= given.front().bytes();
        given.pop_front();
      }
      BOOST_REQUIRE(space.is_idle(range));
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(blocks_do_not_overlap_and_rest) {
  take_and_give_back(std::size_t{8} << 30, {256, 512, 4096, 70'000, 3 << 20, 40 << 20}, 20'000, true);
}

BOOST_AUTO_TEST_CASE(a_space_that_runs_full) {
  take_and_give_back(1 << 20, {256, 4096, 65'536, 300'000}, 20'000, false);
}

BOOST_AUTO_TEST_CASE(growing_blocks_find_room_where_smaller_ones_were) {
  constexpr std::size_t GiB = std::size_t{1} << 30;
  AddressSpace space({GiB, 257 * GiB});
  for (std::size_t i = 0; i != 1000; ++i) {
    std::size_t const bytes = 8 * GiB + i * 256;
    std::uintptr_t const begin = space.take(bytes);
    BOOST_REQUIRE(begin != 0u);
    space.give_back({begin, begin + bytes});
  }
  BOOST_TEST(space.used_until() < 64 * GiB);
}

BOOST_AUTO_TEST_CASE(the_latest_block_rests_though_it_is_large) {
  constexpr std::size_t bytes = std::size_t{8} << 30;
  AddressSpace space({4096, 4096 + 10 * bytes});
  std::uintptr_t const first = space.take(bytes);
  space.give_back({first, first + bytes});
  BOOST_TEST(space.take(bytes) != first);
}

BOOST_AUTO_TEST_CASE(what_rests_is_used_again_when_nothing_else_is_left_the_oldest_first) {
  AddressSpace space({4096, 4096 + 4 * 1024});
  std::uintptr_t block[4];
  for (std::uintptr_t& b : block) b = space.take(1024);
  BOOST_TEST(space.take(1) == 0u);
  for (int const i : {2, 0, 1}) space.give_back({block[i], block[i] + 1024});
  BOOST_TEST(space.take(1024) == block[2]);
  BOOST_TEST(space.take(2048) == block[0]);
  BOOST_TEST(space.take(1) == 0u);
}
