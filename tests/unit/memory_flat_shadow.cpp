// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the words of a flat launch, against a list of all accesses: on one thread in any order of lanes, through
// the in-line part and without it.
#include "FlatDeeds.hpp"

using namespace flat_deeds;

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

BOOST_AUTO_TEST_CASE(bytes_are_told_apart) {
  Memory const memory(64);
  global_shadow::mark_initialised(memory.begin, 64);
  Launch launch;
  FlatTable::of_this_thread().begin_team(launch.launch);
  for (std::uint32_t lane = 0; lane != 16; ++lane)
    launch.touch(memory.begin + lane, false, AccessKind::write, {lane, Site{1}});
  launch.touch(memory.begin + 9, false, AccessKind::write, {20, Site{2}});
  for (std::uint32_t at = 0; at != 16; at += 4) {
    FlatShadow::Word const word = launch.shadow.known_of(memory.begin + at);
    BOOST_REQUIRE(word.parts != nullptr);
    for (unsigned b = 0; b != 4; ++b) {
      FlatShadow::Accesses const& writes = (*word.parts)[b][AccessKind::write];
      BOOST_TEST(writes.first.lane == at + b);
      BOOST_TEST(static_cast<bool>(writes.second) == (at + b == 9));
    }
  }
  std::vector<std::uintptr_t> races;  // the table has room for no more
  launch.shadow.for_each([&](std::uintptr_t address, FlatShadow::Word const&) { races.push_back(address); });
  BOOST_TEST(races == std::vector{memory.begin + 8});
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
