// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the words of a flat launch, against a list of all accesses: on one thread in any order of lanes, through
// the in-line part and without it, and on several threads.
#include "../../sim/host/Memory.hpp"
#include "../../sim/memory/Allocations.hpp"
#include "../../sim/memory/FlatTouch.hpp"
#include "../../sim/memory/GlobalShadow.hpp"
#include "../../sim/check/FlatWords.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <thread>
#include <vector>

using namespace teamsan;

namespace {

constexpr std::uint32_t team_size = 4;
constexpr unsigned words = 48;

struct Memory {
  /// Every eight words so many bytes further.
  explicit Memory(std::size_t bytes, std::size_t apart = 0) : apart(apart) {
    begin = reinterpret_cast<std::uintptr_t>(allocate(Space::device, bytes + bytes / 32 * apart, 0, "memory"));
    global_shadow::mark_initialised(begin, apart == 0 ? 0 : bytes + bytes / 32 * apart);
  }
  ~Memory() { deallocate(reinterpret_cast<void*>(begin)); }
  std::uintptr_t at(unsigned w) const { return begin + 4 * w + w / 8 * apart; }
  unsigned word_at(std::uintptr_t address) const {
    std::uintptr_t const offset = address - begin;
    return static_cast<unsigned>(offset / (32 + apart) * 8 + offset % (32 + apart) / 4);
  }
  std::uint64_t& word(unsigned w) const { return *global_shadow::cell(at(w)); }
  std::uintptr_t begin;
  std::size_t apart;
};

struct Deed {
  std::uint32_t lane;
  unsigned word, words;
  AccessKind kind;  ///< read, write, atomic_write
  Site site;
  std::size_t number() const { return kind == AccessKind::read ? 0 : kind == AccessKind::write ? 1 : 2; }
};

/// The first two lanes of a kind that touched a word, with what each did first there.
using Firsts = std::map<std::uint32_t, Site>;

struct Oracle {
  std::map<unsigned, std::array<Firsts, 3>> of;
  void add(Deed const& d) {
    for (unsigned w = d.word; w != d.word + d.words; ++w) of[w][d.number()].try_emplace(d.lane, d.site);
  }
  bool conflict(unsigned w) {
    auto const meet = [&](std::size_t a, std::size_t b) {
      for (auto const& x : of[w][a])
        for (auto const& y : of[w][b])
          if (x.first != y.first) return true;
      return false;
    };
    return meet(1, 1) || meet(0, 1) || meet(1, 2) || meet(0, 2);
  }
  /// Somebody used atomics there, and somebody did not.
  bool mixed(unsigned w) { return !of[w][2].empty() && (!of[w][0].empty() || !of[w][1].empty()); }
};

/// True if the in-line part has joined it.
template <unsigned bytes, bool shared>
bool join(std::uintptr_t address, Deed const& d) {
  if (d.kind == AccessKind::atomic_write) return flat::update_quickly<bytes>(address, d.site);
  FlatTable::Instruction const* const at = flat::known_at<bytes>(address, d.site);
  bool again = false;
  if (d.kind == AccessKind::write) return at != nullptr && flat::write_at<bytes, shared>(*at, address);
  if (at != nullptr && flat::read_at<bytes, shared>(*at, address, again)) return true;
  return flat::join_alike<bytes>(address, d.kind, d.site);
}

struct Launch {
  Launch() : epoch(global_shadow::next_epoch()), shadow(epoch, default_context, team_size) {
    static std::uint64_t number = 0;
    launch = ++number;
  }
  std::optional<FlatShadow::Outcome> touch(std::uintptr_t address, bool whole, AccessKind kind, FlatShadow::Mark mark) {
    return flat::touch(shadow, FlatTable::of_this_thread(), address, whole, kind, mark);
  }
  /// As the callbacks do it.
  void access(Memory const& memory, Deed const& d, bool quickly, bool shared) {
    FlatTable::of_this_thread().begin_team(launch);
    hot.flat_table = &FlatTable::of_this_thread();
    hot.flat_shadow = &shadow;
    hot.flat_shared = shared;
    hot.flat_lane = d.lane;
    hot.flat_word = FlatWord::of_lane(epoch, d.lane).bits();
    std::uintptr_t const address = memory.at(d.word);
    if (quickly && shared && (d.words == 1 ? join<4, true>(address, d) : join<8, true>(address, d))) return;
    if (quickly && !shared && (d.words == 1 ? join<4, false>(address, d) : join<8, false>(address, d))) return;
    for (unsigned w = 0; w != d.words; ++w)
      touch(address + 4 * w, true, d.kind, {d.lane, d.site});
  }
  /// The same for a worker among others: the stretches that it holds it joins as if it were alone.
  void access_held(Memory const& memory, Deed const& d) {
    FlatTable& table = FlatTable::of_this_thread();
    if (hot.flat_table == nullptr || hot.flat_lane != d.lane) {  // a lane begins
      table.rest();
      hot.flat_mark = table.mark();
    }
    hot.flat_table = &table;
    bool const alone = FlatHolds::of(memory.at(d.word)) == hot.flat_mark || flat::holds(memory.at(d.word));
    access(memory, d, true, !alone);
  }
  std::uint64_t launch = 0;
  std::uint32_t epoch;
  FlatShadow shadow;
};

std::vector<Deed> random_deeds(std::mt19937& random, std::uint32_t lanes, bool races) {
  std::vector<Deed> deeds;
  for (std::uint32_t lane = 0; lane != lanes; ++lane)
    for (unsigned i = 0; i != 8; ++i) {
      unsigned const count = 1 + random() % 2;
      unsigned word = random() % (words / 2) * count;
      bool writes = random() % 3 == 0;
      // Without races lanes write to what is theirs alone, and read there, and in a half that nobody writes.
      if (!races) {
        if (writes || random() % 2) word = lane % (words / 4) * 2, writes = writes && lane < words / 4;
        if (word < words / 2 && lane >= words / 4) word += words / 2;
      }
      // The last words of each half are updated by atomics, mostly.
      bool const updates = word % (words / 2) >= words / 2 - 8 && (!races || random() % 4 != 0);
      if (updates) word = word / 2 * 2;
      deeds.push_back({lane, word, count,
                       updates  ? AccessKind::atomic_write
                       : writes ? AccessKind::write
                                : AccessKind::read,
                       Site{100 + static_cast<std::uint32_t>(random() % 30)}});
    }
  return deeds;
}

/// About half of the deeds' instructions will have no number, or none.
void use_up_places(Launch& launch, bool all) {
  for (std::uint32_t i = 0; i != flat::unknown_place - (all ? 0u : 15u); ++i) launch.shadow.place(Site{1000 + i});
}

bool equal(FlatShadow::Accesses const& found, Firsts const& expected) {
  auto next = expected.begin();
  for (FlatShadow::Mark const mark : {found.first, found.second}) {
    if (next == expected.end()) return !mark;
    if (mark.lane != next->first || mark.site != next->second) return false;
    ++next;
  }
  return true;
}

void check(Launch& launch, Memory const& memory, Oracle& oracle) {
  std::map<unsigned, bool> aside;
  launch.shadow.for_each([&](std::uintptr_t address, FlatShadow::Word const& word) {
    unsigned const w = memory.word_at(address);
    aside[w] = true;
    BOOST_TEST(equal(word.whole[AccessKind::read], oracle.of[w][0]));
    BOOST_TEST(equal(word.whole[AccessKind::write], oracle.of[w][1]));
    BOOST_TEST(equal(word.whole[AccessKind::atomic_write], oracle.of[w][2]));
  });
  for (unsigned w = 0; w != words; ++w) {
    BOOST_TEST_CONTEXT("word " << w) {
      if (!oracle.mixed(w)) BOOST_TEST(aside[w] == oracle.conflict(w));
      BOOST_TEST((aside[w] || !oracle.mixed(w)));
      std::uint64_t const main = memory.word(w);
      bool const touched = std::ranges::any_of(oracle.of[w], [](Firsts const& f) { return !f.empty(); });
      BOOST_TEST(FlatWord(main).is_of_launch(launch.epoch) == touched);
      BOOST_TEST(global_shadow::init_before(main, launch.epoch) == 15u);
      if (!touched || aside[w]) continue;
      auto const& [reads, writes, updates] = oracle.of[w];
      Firsts const& lanes = !updates.empty() ? updates : writes.empty() ? reads : writes;
      BOOST_TEST(FlatWord(main).lane() == lanes.begin()->first);
      BOOST_TEST(FlatWord(main).is_of_many() == (lanes.size() > 1));
      BOOST_TEST(FlatWord(main).is_updated() == !updates.empty());
      BOOST_TEST((launch.shadow.first_site(memory.at(w), FlatWord(main)) == lanes.begin()->second));
      if (lanes.size() > 1) {
        BOOST_TEST(*global_shadow::extra(memory.at(w)) == std::next(lanes.begin())->first);
        BOOST_TEST((launch.shadow.second_site(memory.at(w), FlatWord(main)) == std::next(lanes.begin())->second));
      } else if (!writes.empty() && !reads.empty()) {
        BOOST_TEST((launch.shadow.second_site(memory.at(w), FlatWord(main)) == reads.begin()->second));
      }
    }
  }
}

}  // namespace

BOOST_AUTO_TEST_CASE(each_word_knows_the_first_two_lanes_in_whatever_order_they_come) {
  std::mt19937 random(7);
  for (int round = 0; round != 400; ++round) {
    Memory const memory(4 * words);
    global_shadow::mark_initialised(memory.begin, 4 * words);
    Launch launch;
    Oracle oracle;
    if (round % 3 != 0) use_up_places(launch, round % 3 == 1);
    std::uint32_t const lanes = 2 + random() % 40;
    bool const races = round % 2, ascending = round % 4 < 2;
    std::vector<Deed> deeds = random_deeds(random, lanes, races);
    // Each lane in its own order; lanes as they come.
    if (!ascending) {
      std::vector<std::uint32_t> order(lanes);
      for (std::uint32_t i = 0; i != lanes; ++i) order[i] = i;
      std::shuffle(order.begin(), order.end(), random);
      std::ranges::stable_sort(deeds, {}, [&](Deed const& d) { return order[d.lane]; });
    }
    for (Deed const& d : deeds) {
      oracle.add(d);
      launch.access(memory, d, round % 8 < 4, !ascending);
    }
    check(launch, memory, oracle);
  }
}

BOOST_AUTO_TEST_CASE(of_an_instruction_without_a_number_it_is_known_which_it_is) {
  for (bool const quickly : {false, true}) {
    Memory const memory(4 * words);
    global_shadow::mark_initialised(memory.begin, 4 * words);
    Launch launch;
    use_up_places(launch, true);
    BOOST_TEST(launch.shadow.place(Site{700}) == flat::unknown_place);
    Oracle oracle;
    for (Deed const& d : std::vector<Deed>{{3, 0, 2, AccessKind::read, Site{600}},
                                           {3, 0, 2, AccessKind::read, Site{600}},
                                           {5, 0, 1, AccessKind::write, Site{700}},
                                           {6, 4, 1, AccessKind::write, Site{1002}},
                                           {9, 4, 1, AccessKind::write, Site{700}},
                                           {7, 6, 2, AccessKind::atomic_write, Site{800}},
                                           {8, 6, 2, AccessKind::atomic_write, Site{1003}},
                                           // A read that a word knows, a write that it does not, and the other way round.
                                           {2, 10, 2, AccessKind::read, Site{1004}},
                                           {2, 10, 2, AccessKind::write, Site{900}},
                                           {2, 12, 2, AccessKind::read, Site{900}},
                                           {2, 12, 2, AccessKind::write, Site{1004}},
                                           {2, 12, 2, AccessKind::write, Site{901}},
                                           // Of three that read the first two, the last of whom comes first.
                                           {5, 14, 2, AccessKind::read, Site{901}},
                                           {9, 14, 2, AccessKind::read, Site{902}},
                                           {4, 14, 2, AccessKind::read, Site{903}}}) {
      oracle.add(d);
      launch.access(memory, d, quickly, true);
    }
    check(launch, memory, oracle);
  }
}

BOOST_AUTO_TEST_CASE(instructions_without_numbers_take_no_room_from_races) {
  constexpr std::uint32_t many = FlatShadow::most_words + 8;
  Memory const memory(4 * std::size_t{many});
  global_shadow::mark_initialised(memory.begin, 4 * std::size_t{many});
  Launch launch;
  use_up_places(launch, true);
  FlatTable::of_this_thread().begin_team(launch.launch);
  auto const at = [&](std::uint32_t w) { return memory.begin + 4 * std::uintptr_t{w}; };
  for (std::uint32_t w = 0; w != many; ++w) launch.touch(at(w), true, AccessKind::write, {w, Site{7 + w % 100}});
  BOOST_TEST(launch.shadow.empty());
  launch.touch(at(many - 1), true, AccessKind::write, {many, Site{1}});
  BOOST_TEST(!launch.shadow.lacks_words());
  std::vector<std::uintptr_t> races;
  launch.shadow.for_each([&](std::uintptr_t address, FlatShadow::Word const& word) {
    races.push_back(address);
    BOOST_TEST(equal(word.whole[AccessKind::write], {{many - 1, Site{7 + (many - 1) % 100}}, {many, Site{1}}}));
  });
  BOOST_TEST(races == std::vector{at(many - 1)});
}

void check_on_several_threads(unsigned seed, int rounds, bool hold) {
  std::mt19937 random(seed);
  for (int round = 0; round != rounds; ++round) {
    Memory const memory(4 * words, hold ? arena::flat_stretch_bytes : 0);
    global_shadow::mark_initialised(memory.begin, 4 * words);
    Launch launch;
    FlatHolds holds(1'000'000 + round, 3);
    if (round % 3 != 0) use_up_places(launch, round % 3 == 1);
    Oracle oracle;
    std::vector<Deed> const deeds = random_deeds(random, 60, round % 2);
    for (Deed const& d : deeds) oracle.add(d);
    std::vector<std::jthread> threads;
    for (std::uint32_t t = 0; t != 3; ++t)
      threads.emplace_back([&, t] {
        if (hold) FlatTable::of_this_thread().join_workers(holds, t);
        for (Deed const& d : deeds) {
          if (d.lane / team_size % 3 == t) hold ? launch.access_held(memory, d) : launch.access(memory, d, true, true);
          if (number_of(d.site) % 4 == 0) std::this_thread::yield();
        }
        FlatTable::of_this_thread().leave_workers();
      });
    threads.clear();
    check(launch, memory, oracle);
  }
}

BOOST_AUTO_TEST_CASE(the_same_on_several_threads) { check_on_several_threads(11, 100 / FEWER_STEPS, false); }
BOOST_AUTO_TEST_CASE(the_same_on_several_threads_that_hold_stretches) { check_on_several_threads(13, 200 / FEWER_STEPS, true); }

BOOST_AUTO_TEST_CASE(a_lane_knows_at_once_what_its_worker_gave_up) {
  Memory const memory(4 * words, arena::flat_stretch_bytes);
  Launch launch;
  FlatHolds holds(2'000'000, 2);
  FlatTable& table = FlatTable::of_this_thread();
  table.join_workers(holds, 0);
  table.begin_team(launch.launch);
  hot.flat_mark = table.mark();
  BOOST_TEST(table.take(memory.at(0)));
  BOOST_TEST(FlatHolds::of(memory.at(0)) == hot.flat_mark);
  std::jthread other([&] { BOOST_TEST(!holds.take(memory.at(0), 1)); });
  while (!table.is_wanted()) std::this_thread::yield();
  launch.touch(memory.at(8), true, AccessKind::write, {1, Site{1}});
  BOOST_TEST(FlatHolds::of(memory.at(0)) != hot.flat_mark);
  BOOST_TEST(FlatHolds::of(memory.at(8)) == hot.flat_mark);
  hot.flat_mark = FlatHolds::no_mark;
  table.leave_workers();
}

/// By the callbacks' own way. `others`: there is another worker.
void check_lanes_out_of_order(bool others) {
  Memory const memory(4 * words, arena::flat_stretch_bytes);
  Launch launch;
  FlatHolds holds(3'000'000 + others, 2);
  FlatTable& table = FlatTable::of_this_thread();
  if (others) table.join_workers(holds, 0);
  table.begin_team(launch.launch);
  for (unsigned w = 0; w != words; ++w) launch.touch(memory.at(w), true, AccessKind::read, {7, Site{1}});
  hot.flat_table = &table;
  hot.flat_shadow = &launch.shadow;
  hot.flat_shared = true;
  hot.flat_mark = FlatHolds::no_mark;
  for (std::uint32_t const lane : {6u, 9u, 5u}) {
    hot.flat_lane = lane;
    hot.flat_word = FlatWord::of_lane(launch.epoch, lane).bits();
    for (unsigned w = 0; w != words; ++w) FlatWords::access<4, AccessKind::read>(memory.at(w), Site{1});
  }
  table.leave_workers();
  for (unsigned w = 0; w != words; ++w) {
    BOOST_TEST(FlatWord(memory.word(w)).lane() == 5u);
    BOOST_TEST(*global_shadow::extra(memory.at(w)) == 6u);
  }
}

BOOST_AUTO_TEST_CASE(lanes_that_do_not_come_in_order_are_compared_on_memory_that_nobody_held) {
  check_lanes_out_of_order(false);
  check_lanes_out_of_order(true);
}

BOOST_AUTO_TEST_CASE(bytes_are_told_apart) {
  Memory const memory(64);
  global_shadow::mark_initialised(memory.begin, 64);
  Launch launch;
  FlatTable::of_this_thread().begin_team(launch.launch);
  for (std::uint32_t lane = 0; lane != 16; ++lane)
    launch.touch(memory.begin + lane, false, AccessKind::write, {lane, Site{1}});
  launch.touch(memory.begin + 9, false, AccessKind::write, {20, Site{2}});
  unsigned seen = 0;
  launch.shadow.for_each([&](std::uintptr_t address, FlatShadow::Word const& word) {
    BOOST_REQUIRE(word.parts != nullptr);
    for (unsigned b = 0; b != 4; ++b) {
      FlatShadow::Accesses const& writes = (*word.parts)[b][AccessKind::write];
      std::uint32_t const byte = static_cast<std::uint32_t>(address - memory.begin) + b;
      BOOST_TEST(writes.first.lane == byte);
      BOOST_TEST(static_cast<bool>(writes.second) == (byte == 9));
      ++seen;
    }
  });
  BOOST_TEST(seen == 16u);
}

BOOST_AUTO_TEST_CASE(what_nobody_wrote_is_fresh_and_what_nobody_owns_outside) {
  Memory const memory(62);
  Launch launch;
  FlatTable::of_this_thread().begin_team(launch.launch);
  using Outcome = FlatShadow::Outcome;
  auto const touch = [&](std::uintptr_t at, AccessKind kind, std::uint32_t lane, bool whole = true) {
    return launch.touch(memory.begin + at, whole, kind, {lane, Site{1}});
  };
  BOOST_TEST((touch(0, AccessKind::read, 3) == Outcome::fresh));
  BOOST_TEST((touch(4, AccessKind::write, 3) == Outcome::fresh));
  BOOST_TEST((touch(4, AccessKind::read, 3) == Outcome::written));
  BOOST_TEST((touch(60, AccessKind::read, 3) == std::nullopt));
  BOOST_TEST((touch(61, AccessKind::write, 3, false) == Outcome::fresh));
  BOOST_TEST((touch(61, AccessKind::read, 3, false) == Outcome::written));
  BOOST_TEST((touch(62, AccessKind::write, 3, false) == std::nullopt));
  BOOST_TEST((touch(8, AccessKind::write, 4) == Outcome::fresh));
  BOOST_TEST((touch(8, AccessKind::write, 5) == Outcome::store_again));  // lanes 4 to 7 are one team
  BOOST_TEST((touch(8, AccessKind::write, 9) == Outcome::by_others));
  // Whichever of two lanes comes first: neither has written the word before it reads it.
  BOOST_TEST((touch(12, AccessKind::atomic_write, 7) == Outcome::fresh));
  BOOST_TEST((touch(12, AccessKind::atomic_write, 4) == Outcome::by_others));
  BOOST_TEST((touch(12, AccessKind::atomic_write, 4) == Outcome::written));
  BOOST_TEST((touch(12, AccessKind::atomic_read, 7) == Outcome::written));
  BOOST_TEST(global_shadow::init_before(memory.word(1), global_shadow::next_epoch()) == 15u);
  BOOST_TEST(global_shadow::init_before(memory.word(0), global_shadow::next_epoch()) == 0u);
}

BOOST_AUTO_TEST_CASE(of_reads_of_what_nobody_wrote_each_sites_first_lane_is_kept) {
  Memory const memory(8);
  Launch launch;
  FlatTable::of_this_thread().begin_team(launch.launch);
  for (std::uint32_t const lane : {9u, 3u, 5u}) {
    launch.touch(memory.begin, true, AccessKind::atomic_read, {lane, Site{1}});
    launch.shadow.note_unwritten({{lane, Site{1}}, Site{100}, true, 4, memory.begin});
    launch.shadow.note_unwritten({{lane, Site{2}}, Site{50}, true, 4, memory.begin});
  }
  // Other bytes of the word: another lane may have written those of the first one.
  launch.shadow.note_unwritten({{7, Site{2}}, Site{50}, true, 1, memory.begin + 3});
  std::size_t seen = 0;
  launch.shadow.for_each([&](std::uintptr_t, FlatShadow::Word const& word) {
    BOOST_REQUIRE(word.unwritten.size() == 3u);
    BOOST_TEST((word.unwritten[0].told == Site{50}));
    BOOST_TEST((word.unwritten[1].told == Site{50}));
    BOOST_TEST((word.unwritten[2].told == Site{100}));
    BOOST_TEST(word.unwritten[1].mark.lane == 7u);
    for (std::size_t const of_all : {0, 2}) BOOST_TEST(word.unwritten[of_all].mark.lane == 3u);
    ++seen;
  });
  BOOST_TEST(seen == 1u);
}

BOOST_AUTO_TEST_CASE(of_a_third_lane_that_writes_a_word_nothing_is_kept) {
  Memory const memory(8);
  Launch launch;
  FlatTable::of_this_thread().begin_team(launch.launch);
  BOOST_TEST(!launch.shadow.writers(memory.begin, 3, 100).others);
  launch.touch(memory.begin, true, AccessKind::write, {3, Site{1}});
  BOOST_TEST(!launch.shadow.writers(memory.begin, 3, 100).others);
  BOOST_TEST(launch.shadow.writers(memory.begin, 4, 100).others);
  for (std::uint32_t const lane : {1u, 2u}) launch.touch(memory.begin, true, AccessKind::write, {lane, Site{1}});
  BOOST_TEST(launch.shadow.writers(memory.begin, 3, 100).maybe_itself);
  BOOST_TEST(!launch.shadow.writers(memory.begin, 2, 100).maybe_itself);
  BOOST_TEST(!launch.shadow.writers(memory.begin, 0, 100).maybe_itself);  // an earlier one is
  BOOST_TEST(!launch.shadow.writers(memory.begin, 3, 2).maybe_itself);  // lanes from 2 on did not run
  BOOST_TEST(!launch.shadow.writers(memory.begin + 4, 3, 100).others);
}

BOOST_AUTO_TEST_CASE(an_instruction_covers_what_is_aligned_and_inside) {
  FlatTable::Instruction const at{4096, 6, Site{77}, FlatWord::place_bits_of(3), 1, 0, 0, AtomicPart::none, false};
  BOOST_TEST(at.place() == 3);
  BOOST_TEST(at.covers<8>(4096, Site{77}));
  BOOST_TEST(at.covers<8>(4096 + 40, Site{77}));
  BOOST_TEST(!at.covers<8>(4096 + 48, Site{77}));
  BOOST_TEST(!at.covers<8>(4096 + 4, Site{77}));
  BOOST_TEST(!at.covers<8>(4096 - 8, Site{77}));
  BOOST_TEST(!at.covers<8>(4096, Site{78}));
}

BOOST_AUTO_TEST_CASE(an_instruction_is_aimed_at_a_chunk_and_in_the_end_at_the_allocation) {
  constexpr std::uintptr_t chunk = std::uintptr_t{1} << FlatTable::window_shift, bytes = 4 * chunk + 12;
  Memory const memory(bytes);
  Launch launch;
  FlatTable& table = FlatTable::of_this_thread();
  table.begin_team(launch.launch);
  std::uintptr_t const last = memory.begin + bytes / 8 * 8 - 8;
  constexpr Site site{1234};
  BOOST_TEST(!table.aim(memory.begin, site, 1));  // neither is known
  launch.touch(memory.begin, true, AccessKind::write, {1, site});
  launch.touch(last, true, AccessKind::write, {1, site});
  BOOST_TEST(table.aim(memory.begin, site, 1));
  BOOST_TEST(table.at(site).covers<8>(memory.begin, site));
  BOOST_TEST(!table.at(site).covers<8>(last, site));
  for (unsigned i = 0; i != 200; ++i) {
    std::uintptr_t const at = i % 2 ? memory.begin : last;
    BOOST_TEST((table.at(site).covers<8>(at, site) || table.aim(at, site, 1)));
  }
  BOOST_TEST(table.at(site).covers<8>(memory.begin, site));
  BOOST_TEST(table.at(site).covers<8>(last, site));
  BOOST_TEST(!table.at(site).covers<8>(last + 8, site));
  table.begin_team(launch.launch + 1);
  BOOST_TEST(!table.at(site).covers<8>(last, site));
}
