// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A team's own shadow: what a line is known to be when it is met first, and what is kept of it.
#include "../../sim/host/Memory.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/memory/GlobalShadow.hpp"
#include "../../sim/memory/TeamShadow.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>
#include <unordered_map>
#include <vector>

using namespace teamsan;

namespace {

struct Memory {
  explicit Memory(std::size_t bytes, Space space = Space::device)
      : begin(reinterpret_cast<std::uintptr_t>(allocate(space, bytes, 0, "memory"))) {}
  ~Memory() { deallocate(reinterpret_cast<void*>(begin)); }
  std::uintptr_t begin;
};

/// Of one byte, wherever the line keeps it.
Cell& cell_of(Line& line, std::uintptr_t address) {
  return line.per_byte ? line.per_byte->first[address % Line::bytes] : line.first[address / 4 % Line::words];
}

Mark mark(std::uint32_t lane, std::uint32_t stamp, std::uint32_t site = 0x1000) {
  return {Site{site}, stamp << who::stamp_shift | lane};
}

std::uint32_t next_epoch_of(TeamShadow& shadow) {
  std::uint32_t const epoch = global_shadow::next_epoch();
  shadow.reset(epoch, no_context);
  return epoch;
}

}  // namespace

BOOST_AUTO_TEST_CASE(bytes_are_poisoned_initialised_or_neither) {
  constexpr std::size_t size = 1001;
  Memory const memory(size);
  std::vector<bool> initialised(size, false);
  std::mt19937 random(2);
  for (int i = 0; i != 30; ++i) {
    std::size_t const first = random() % size, bytes = 1 + random() % std::min<std::size_t>(30, size - first);
    global_shadow::mark_initialised(memory.begin + first, bytes);
    std::fill_n(initialised.begin() + static_cast<std::ptrdiff_t>(first), bytes, true);
  }
  TeamShadow shadow;
  next_epoch_of(shadow);
  for (std::uintptr_t a = memory.begin - 64; a != memory.begin + 1001 + 400; ++a) {
    Cell const& cell = cell_of(shadow.line(a), a);
    bool const inside = a >= memory.begin && a < memory.begin + size;
    Who const expected = !inside ? who::poison : initialised[a - memory.begin] ? who::before_launch : 0;
    BOOST_REQUIRE(cell.write.who == expected);
    BOOST_REQUIRE(cell.read.who == (inside ? 0u : who::poison));
  }
}

BOOST_AUTO_TEST_CASE(shared_memory_is_initialised) {
  Memory const memory(128, Space::shared);
  TeamShadow shadow;
  next_epoch_of(shadow);
  BOOST_TEST(cell_of(shadow.line(memory.begin), memory.begin).write.who == who::before_launch);
}

BOOST_AUTO_TEST_CASE(of_memory_that_no_lane_may_touch_nothing_is_kept) {
  Memory const memory(64);
  TeamShadow shadow;
  next_epoch_of(shadow);
  std::size_t const before = shadow.bytes();
  for (std::uintptr_t a = memory.begin + 64; a != memory.begin + (std::uintptr_t{64} << 10); a += 64)
    BOOST_REQUIRE(cell_of(shadow.line(a), a).write.who == who::poison);
  BOOST_TEST(shadow.size() == 0u);
  BOOST_TEST(shadow.bytes() == before);
  std::uintptr_t freed;
  {
    Memory const gone(256);
    freed = gone.begin;
  }
  BOOST_TEST(cell_of(shadow.line(freed), freed).read.who == who::poison);
  BOOST_TEST((shadow.line(freed).allocation != nullptr && !shadow.line(freed).allocation->live));
}

BOOST_AUTO_TEST_CASE(lines_stay_where_they_are) {
  constexpr std::size_t size = 1 << 20;
  Memory const memory(size);
  TeamShadow shadow;
  next_epoch_of(shadow);
  std::unordered_map<std::uintptr_t, Line*> oracle;
  std::vector<std::uintptr_t> order;
  std::mt19937 random(4);
  for (int i = 0; i != 60'000; ++i) {
    std::uintptr_t const address = memory.begin + random() % size;
    Line& line = shadow.line(address);
    auto const [known, fresh] = oracle.try_emplace(address / 64, &line);
    if (fresh) order.push_back(address / 64);
    BOOST_REQUIRE(known->second == &line);
    BOOST_REQUIRE((line.key == address / 64 && line.allocation == find_allocation(address)));
  }
  BOOST_REQUIRE(shadow.size() == order.size());
  for (std::size_t i = 0; i != order.size(); ++i) BOOST_REQUIRE(shadow[i].key == order[i]);
  BOOST_TEST(shadow.used_bytes() == order.size() * sizeof(Line));
  next_epoch_of(shadow);
  BOOST_TEST(shadow.size() == 0u);
}

BOOST_AUTO_TEST_CASE(what_is_known_of_a_word_holds_for_its_bytes) {
  Memory const memory(64);
  TeamShadow shadow;
  next_epoch_of(shadow);
  Line& line = shadow.line(memory.begin);
  line.first[3] = {mark(5, 2), mark(6, 3)};
  line.second()[3] = {mark(7, 4), mark(8, 5)};
  ByteLine const& bytes = shadow.split(line);
  for (unsigned b = 12; b != 16; ++b) {
    BOOST_TEST(bytes.first[b].write.who == mark(5, 2).who);
    BOOST_TEST(bytes.second[b].read.who == mark(8, 5).who);
  }
  BOOST_TEST(bytes.first[16].write.who == 0u);
  BOOST_TEST(line.first[0].write.who == who::bytewise);
  BOOST_TEST(&shadow.split(line) == &bytes);
}

BOOST_AUTO_TEST_CASE(lines_met_by_doubles_are_wide_until_a_word_is_asked_for) {
  Memory const memory(256);
  global_shadow::mark_initialised(memory.begin, 64);
  global_shadow::mark_initialised(memory.begin + 64, 4);       // half of a double
  global_shadow::mark_initialised(memory.begin + 128 + 8, 8);  // one of eight
  TeamShadow shadow;
  next_epoch_of(shadow);
  BOOST_TEST(shadow.line_for(memory.begin + 64, 8).wide == 0);
  Line& some = shadow.line_for(memory.begin + 128, 16);
  BOOST_REQUIRE(some.wide == 1);
  for (unsigned w = 0; w != Line::words; ++w)
    BOOST_TEST(some.word(w).write.who == (w == 2 || w == 3 ? who::before_launch : 0u));

  Line& line = shadow.line_for(memory.begin, 8);
  BOOST_REQUIRE((line.wide == 1 && line.cells() == Line::words / 2));
  std::size_t const slot = line.slot;
  BOOST_TEST(shadow.index()[slot].key == (line.key | TeamShadow::wide));
  line.first[5] = {mark(5, 2), {Site{0x1000}, mark(6, 3).who | who::many}};
  line.second()[5] = {{}, mark(8, 5)};
  BOOST_TEST(&shadow.line_for(memory.begin + 8, 8) == &line);
  BOOST_TEST(line.wide == 1);
  BOOST_TEST(&line.word(10) == &line.word(11));
  BOOST_TEST(&shadow.line(memory.begin) == &line);
  BOOST_TEST(line.wide == 0);
  BOOST_TEST(shadow.index()[slot].key == line.key);
  for (unsigned w = 0; w != Line::words; ++w) {
    bool const touched = w == 10 || w == 11;
    BOOST_TEST(line.word(w).write.who == (touched ? mark(5, 2).who : who::before_launch));
    BOOST_TEST(line.word(w).read.who == (touched ? mark(6, 3).who | who::many : 0u));
    if (touched) BOOST_TEST(line.second_of_word(w).read.who == mark(8, 5).who);
  }
  BOOST_TEST(shadow.line_for(memory.begin, 8).wide == 0);  // for good
  next_epoch_of(shadow);
  BOOST_TEST(shadow.line_for(memory.begin, 8).wide == 1);
  BOOST_TEST(shadow.split(shadow.line_for(memory.begin, 8)).first[63].write.who == who::before_launch);
}

BOOST_AUTO_TEST_CASE(wide_lines_are_kept_by_words_when_a_segment_begins) {
  Memory const memory(64 * 64);
  global_shadow::mark_initialised(memory.begin, 64 * 64);
  TeamShadow shadow;
  next_epoch_of(shadow);
  Line& line = shadow.line_for(memory.begin, 8);
  line.first[1].read = mark(3, 2, 0x10);
  shadow.begin_segment();
  BOOST_TEST(&shadow.line_for(memory.begin, 4) == &line);  // narrowed while it is not in the index
  BOOST_TEST((line.wide == 0 && shadow.index()[line.slot].key == line.key));
  for (unsigned w = 0; w != Line::words; ++w) BOOST_TEST(shadow.has_earlier(line, w) == (w == 2 || w == 3));
  for (unsigned i = 1; i != 64; ++i) shadow.line_for(memory.begin + 64 * i, 8);
  shadow.begin_segment();
  // The index grows over lines of either kind.
  TeamShadow larger;
  next_epoch_of(larger);
  Memory const much(64 * 1000);
  global_shadow::mark_initialised(much.begin, 64 * 1000);
  for (unsigned i = 0; i != 1000; ++i) larger.line_for(much.begin + 64 * i, i % 3 == 0 ? 4 : 8);
  for (unsigned i = 0; i != 1000; ++i) BOOST_REQUIRE(larger.line_for(much.begin + 64 * i, 8).wide == (i % 3 == 0 ? 0 : 1));
  BOOST_TEST(larger.size() == 1000u);
}

BOOST_AUTO_TEST_CASE(the_first_plain_access_that_an_atomic_one_replaces_is_kept) {
  Memory const memory(64);
  TeamShadow shadow;
  next_epoch_of(shadow);
  Line& line = shadow.line(memory.begin);
  BOOST_TEST(shadow.kept_plain(line, 8, true) == nullptr);
  shadow.keep_plain(line, 8, true, mark(1, 2, 0x77));
  shadow.keep_plain(line, 8, true, mark(2, 3, 0x78));
  BOOST_TEST((shadow.kept_plain(line, 8, true)->site == Site{0x77}));
  BOOST_TEST(shadow.kept_plain(line, 8, false) == nullptr);
  BOOST_TEST(shadow.kept_plain(line, 12, true) == nullptr);
  shadow.split(line);
  BOOST_TEST((shadow.kept_plain(line, 10, true)->site == Site{0x77}));  // of the word, when it was whole
  next_epoch_of(shadow);
  BOOST_TEST(shadow.kept_plain(shadow.line(memory.begin), 8, true) == nullptr);
}

BOOST_AUTO_TEST_CASE(marks_of_earlier_segments_are_kept_once_their_line_is_touched_again) {
  Memory const memory(256);
  TeamShadow shadow;
  next_epoch_of(shadow);
  Line& first = shadow.line(memory.begin);
  first.first[1].write = mark(3, 2, 0x10);
  BOOST_TEST(!shadow.touched_only(memory.begin));
  shadow.begin_segment();
  BOOST_TEST(!shadow.has_earlier());
  BOOST_TEST(shadow.touched_only(memory.begin));
  BOOST_TEST(&shadow.line(memory.begin) == &first);
  BOOST_TEST(shadow.touched_only(memory.begin));
  auto const earlier = [&](unsigned word) {
    std::vector<EarlierMark> marks;
    shadow.for_each_earlier(first, word, [&](EarlierMark const& m) { marks.push_back(m); });
    return marks;
  };
  BOOST_REQUIRE(earlier(1).size() == 1u);
  BOOST_TEST((earlier(1)[0].mark.site == Site{0x10} && earlier(1)[0].writes && earlier(1)[0].bytes == 4));
  BOOST_TEST((shadow.has_earlier(first, 1) && !shadow.has_earlier(first, 0)));
  BOOST_TEST(earlier(0).empty());
  shadow.line(memory.begin + 64);
  BOOST_TEST(!shadow.touched_only(memory.begin));
  shadow.mark_earlier(first, 1, Site{0x10}, who::redundant);
  BOOST_TEST((earlier(1)[0].mark.who & who::redundant) != 0u);
  first.first[1].write = mark(4, 2, 0x11);
  first.first[1].read = mark(5, 2, 0x12);
  shadow.begin_segment();
  shadow.line(memory.begin);
  shadow.begin_segment();
  shadow.line(memory.begin);  // what is there already is not added again
  BOOST_REQUIRE(earlier(1).size() == 3u);
  BOOST_TEST((earlier(1)[1].mark.site == Site{0x11} && earlier(1)[2].mark.site == Site{0x12} && !earlier(1)[2].writes));
  for (std::uint32_t i = 0; i != EarlierMarks::most_of_word; ++i) {
    BOOST_TEST(shadow.lacks_earlier() == (i > EarlierMarks::most_of_word - 3));
    first.first[1] = {mark(6 + i, 2, 0x20), {}};
    shadow.begin_segment();
    shadow.line(memory.begin);
  }
  BOOST_TEST(earlier(1).size() == EarlierMarks::most_of_word);
  next_epoch_of(shadow);
  BOOST_TEST(!shadow.has_earlier());
}
