// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is known of the words of a flat launch, against a list of all accesses: by several threads at once, by workers that hold
// stretches of memory, and by lanes that do not come in their order.
#include "FlatDeeds.hpp"

#include <thread>

using namespace flat_deeds;

namespace {

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

}  // namespace

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
  bool taken = true;
  std::jthread other([&] { taken = holds.take(memory.at(0), 1); });
  while (!table.is_wanted()) std::this_thread::yield();
  launch.touch(memory.at(8), true, AccessKind::write, {1, Site{1}});
  BOOST_TEST(FlatHolds::of(memory.at(0)) != hot.flat_mark);
  BOOST_TEST(FlatHolds::of(memory.at(8)) == hot.flat_mark);
  hot.flat_mark = FlatHolds::no_mark;
  table.leave_workers();
  other.join();
  BOOST_TEST(!taken);
}

namespace {

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

}  // namespace

BOOST_AUTO_TEST_CASE(lanes_that_do_not_come_in_order_are_compared_on_memory_that_nobody_held) {
  check_lanes_out_of_order(false);
  check_lanes_out_of_order(true);
}
