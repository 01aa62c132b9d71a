// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team's scratch: where pieces lie, and which bytes a lane may touch, against a flag for each byte.
#include "../../sim/base/ScratchSlots.hpp"
#include "../../sim/memory/Scratch.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace teamsan;

namespace {

Who state_of(Scratch& scratch, std::uintptr_t address) {
  Cell const& word = *Scratch::cells_at(address);
  Cell const& cell =
      word.write.who == who::bytewise ? scratch.split(address).first[address % Line::bytes] : word;
  BOOST_REQUIRE((cell.read.who == cell.write.who));
  return cell.write.who;
}

ScratchPiece const& obtain(Scratch& scratch, std::size_t offset, std::size_t bytes, std::size_t alignment = 8,
                           int level = 0) {
  return scratch.obtain(level, false, 0, offset, bytes, alignment, Site{0x1234});
}

/// All that lies in the scratch is either in a piece, and fresh, or poisoned.
void check(Scratch& scratch) {
  for (std::uintptr_t a = scratch.begin(); a != scratch.begin() + scratch.extent(); ++a) {
    auto const holds = [&](ScratchPiece const& p) { return a - p.begin < p.bytes; };
    auto const& pieces = scratch.pieces();
    bool const inside = std::any_of(pieces.begin(), pieces.end(), holds);
    BOOST_REQUIRE(state_of(scratch, a) == (inside ? 0u : who::poison));
    ScratchPiece const* const near = scratch.piece_near(a);
    if (inside) BOOST_REQUIRE((near != nullptr && holds(*near)));
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(pieces_keep_their_banks_and_lie_apart) {
  arena::reserve();
  std::mt19937 random(6);
  Scratch scratch;
  for (int team = 0; team != 20; ++team) {
    std::uint32_t const slot = scratch_slots::of_team(static_cast<std::uint64_t>(team));
    scratch.reset(slot);
    BOOST_TEST(scratch.slot() == slot);
    std::size_t offset = 0;
    std::vector<ScratchPiece> oracle;
    for (int i = 0; i != 20; ++i) {
      std::size_t const alignment = std::size_t{1} << random() % 10, bytes = 1 + random() % 700;
      offset = (offset + alignment - 1) / alignment * alignment;
      ScratchPiece const piece = obtain(scratch, offset, bytes, alignment);
      BOOST_REQUIRE(piece.begin % 256 == offset % 256);
      BOOST_REQUIRE(piece.begin % alignment == 0u);
      BOOST_REQUIRE(piece.bytes == bytes);
      for (ScratchPiece const& other : oracle)
        BOOST_REQUIRE((piece.begin >= other.begin + other.bytes + Scratch::gap ||
                       piece.begin + bytes + Scratch::gap <= other.begin));
      oracle.push_back(piece);
      offset += bytes;
    }
    check(scratch);
    for (ScratchPiece const& p : oracle)  // a second lane obtains the same
      BOOST_REQUIRE(obtain(scratch, p.device_offset, p.bytes).begin == p.begin);
    BOOST_TEST(scratch.pieces().size() == oracle.size());
  }
}

BOOST_AUTO_TEST_CASE(slots_in_turn_are_so_many_and_no_largest_index_leads_from_one_to_another) {
  for (std::uint32_t const count : {scratch_slots::of_older_traces, scratch_slots::of_programs}) {
    scratch_slots::take_in_turn(count);
    std::set<std::uint32_t> slots;
    for (std::uint32_t team = 0; team != count; ++team) slots.insert(scratch_slots::of_team(team + 7ull * count));
    BOOST_TEST(slots.size() == count);
    for (std::uint32_t const slot : slots) {
      for (std::uint64_t element = 4; element <= 64; element *= 2) {
        std::uint64_t const led_to = slot + (element << 31) / arena::scratch_slot_bytes;
        BOOST_TEST(!slots.contains(static_cast<std::uint32_t>(led_to)));
        BOOST_TEST(!scratch_slots::is_in_turn(led_to));
      }
      BOOST_TEST(scratch_slots::is_in_turn(slot));
    }
    for (std::uint64_t rank = 0; rank != 3 * arena::all_scratch_slots; ++rank) {
      BOOST_TEST(!scratch_slots::is_in_turn(scratch_slots::beside(rank)));
      BOOST_TEST(scratch_slots::beside(rank) < arena::all_scratch_slots);
    }
  }
}

BOOST_AUTO_TEST_CASE(levels_are_apart) {
  arena::reserve();
  Scratch scratch;
  scratch.reset(0);
  std::uintptr_t const low = obtain(scratch, 0, 64, 8, 0).begin, high = obtain(scratch, 0, 64, 8, 1).begin;
  BOOST_TEST(low != high);
  BOOST_TEST(scratch.piece_near(high)->level == 1);
}

BOOST_AUTO_TEST_CASE(the_last_piece_grows) {
  arena::reserve();
  Scratch scratch;
  scratch.reset(1);
  obtain(scratch, 0, 33);
  BOOST_TEST(obtain(scratch, 0, 100).bytes == 100u);
  check(scratch);
  BOOST_TEST(obtain(scratch, 0, 50).bytes == 100u);
  obtain(scratch, 128, 10);
  BOOST_TEST(obtain(scratch, 0, 200).bytes == 100u);  // the next one lies there
  check(scratch);
}

BOOST_AUTO_TEST_CASE(what_an_earlier_team_left_is_gone) {
  arena::reserve();
  Scratch scratch;
  scratch.reset(2);
  ScratchPiece const piece = obtain(scratch, 0, 37);
  scratch.name(piece.begin, "tile", {});
  scratch.split(piece.begin).first[3].write.who = who::first_stamp;
  Scratch::cells_at(piece.begin + 32)->write.who = who::first_stamp;
  scratch.reset(2);
  BOOST_TEST(scratch.extent() == 0u);
  BOOST_TEST(scratch.piece_near(piece.begin) == nullptr);
  ScratchPiece const again = obtain(scratch, 0, 37);
  BOOST_TEST(again.begin == piece.begin);
  BOOST_TEST(scratch.name_of(again) == nullptr);
  check(scratch);
}

BOOST_AUTO_TEST_CASE(the_first_name_of_a_piece_stays) {
  arena::reserve();
  Scratch scratch;
  scratch.reset(3);
  ScratchPiece const a = obtain(scratch, 0, 64), b = obtain(scratch, 64, 64);
  scratch.name(a.begin + 16, "first", {});
  scratch.name(a.begin, "second", {});
  scratch.name(b.begin + 64, "outside", {});
  BOOST_TEST(scratch.name_of(a)->name == "first");
  BOOST_TEST(scratch.name_of(b) == nullptr);
}

BOOST_AUTO_TEST_CASE(too_much_for_a_slot_is_told) {
  arena::reserve();
  Scratch scratch;
  scratch.reset(4);
  BOOST_CHECK_THROW(obtain(scratch, 0, arena::scratch_slot_bytes), std::runtime_error);
}
