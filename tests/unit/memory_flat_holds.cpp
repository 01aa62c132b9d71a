// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Who holds a stretch of memory, who gives it up, and that nobody changes it by plain stores beside another.
#include "../../sim/memory/FlatHolds.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <atomic>
#include <mutex>
#include <random>
#include <thread>
#include <vector>

using teamsan::FlatHolds;
namespace arena = teamsan::arena;

namespace {

struct Arena {
  Arena() { arena::reserve(); }
};
BOOST_TEST_GLOBAL_FIXTURE(Arena);

constexpr std::uintptr_t stretch(unsigned number) { return arena::device + number * arena::flat_stretch_bytes; }
std::uint64_t launch = 1;

}  // namespace

BOOST_AUTO_TEST_CASE(the_first_one_holds_until_another_one_wants_any_of_it) {
  FlatHolds holds(++launch, 2);
  BOOST_TEST(holds.take(stretch(0), 0));
  BOOST_TEST(holds.take(stretch(1), 0));
  BOOST_TEST(FlatHolds::of(stretch(0)) == holds.mark(0));
  BOOST_TEST(!holds.wanted(0));
  std::thread other([&] { BOOST_TEST(!holds.take(stretch(0) + 8, 1)); });
  while (!holds.wanted(0)) std::this_thread::yield();
  BOOST_TEST(FlatHolds::of(stretch(0)) == holds.mark(0));
  holds.give_up(0);
  other.join();
  BOOST_TEST(FlatHolds::of(stretch(0)) == holds.shared());
  BOOST_TEST(FlatHolds::of(stretch(1)) != holds.mark(0));
  BOOST_TEST(!holds.take(stretch(0), 0));
  BOOST_TEST(holds.take(stretch(1), 0));  // nobody wanted it
  holds.give_up(0);
  BOOST_TEST(!holds.take(stretch(1), 1));
  BOOST_TEST(!holds.take(stretch(1), 0));
}

BOOST_AUTO_TEST_CASE(what_one_leaves_is_everybodys_and_a_launch_begins_anew) {
  FlatHolds holds(++launch, 2);
  BOOST_TEST(holds.take(stretch(0), 0));
  holds.leave(0);
  BOOST_TEST(!holds.take(stretch(0), 1));
  BOOST_TEST(!holds.take(stretch(1), 0));  // a lane that went on
  BOOST_TEST(FlatHolds::of(stretch(1)) == holds.shared());
  BOOST_TEST(holds.take(stretch(2), 1));
  FlatHolds next(++launch, 2);
  for (unsigned i = 0; i != 3; ++i) BOOST_TEST(next.take(stretch(i), 0));
}

BOOST_AUTO_TEST_CASE(a_sleeping_one_is_taken_from_and_sees_it) {
  FlatHolds holds(++launch, 2);
  std::mutex mutex;
  std::unique_lock held(mutex);
  std::atomic<bool> ready = false;
  std::thread other([&] {
    holds.enter(1);
    BOOST_TEST(holds.take(stretch(0), 1));
    BOOST_TEST(holds.take(stretch(1), 1));
    ready = true;
    std::lock_guard const sleep(mutex);
    BOOST_TEST(FlatHolds::of(stretch(0)) != holds.mark(1));
    BOOST_TEST(!holds.take(stretch(0), 1));
  });
  while (!ready) std::this_thread::yield();
  holds.enter(0);
  BOOST_TEST(!holds.take(stretch(0), 0));
  BOOST_TEST(FlatHolds::of(stretch(0)) == holds.shared());
  held.unlock();
  other.join();
}

BOOST_AUTO_TEST_CASE(one_that_gave_up_very_often_holds_nothing_more) {
  FlatHolds holds(++launch, 1);
  unsigned times = 0;
  for (; holds.mark(0) != FlatHolds::no_mark; ++times) holds.give_up(0);
  BOOST_TEST(times == 1u << 20);
  BOOST_TEST(!holds.take(stretch(0), 0));
  holds.give_up(0);
  BOOST_TEST(holds.mark(0) == FlatHolds::no_mark);
}

BOOST_AUTO_TEST_CASE(workers_beyond_the_last_number_hold_nothing) {
  FlatHolds holds(++launch, FlatHolds::most_workers + 1);
  BOOST_TEST(!holds.take(stretch(0), FlatHolds::most_workers));
  BOOST_TEST(holds.take(stretch(1), FlatHolds::most_workers - 1));
  BOOST_TEST(FlatHolds::of(stretch(1)) != holds.shared());
}

/// What holders add up by plain stores, and the others by atomic additions, is all there in the end. With a mutex that now and
/// then is locked meanwhile, one sleeps while it holds what the others want.
BOOST_DATA_TEST_CASE(nothing_is_lost_whoever_comes, boost::unit_test::data::make({false, true}), with_mutex) {
  constexpr unsigned workers = 4, stretches = 40, rounds = 20'000;
  std::mutex mutex;
  for (unsigned seed = 0; seed != (with_mutex ? 4 : 10); ++seed) {
    FlatHolds holds(++launch, workers);
    std::vector<std::uint64_t> sums(stretches, 0);
    std::atomic<std::uint64_t> plain{0};
    std::vector<std::jthread> threads;
    for (unsigned w = 0; w != workers; ++w)
      threads.emplace_back([&, w] {
        std::mt19937 random(seed * workers + w);
        std::uint64_t held = 0;
        holds.enter(w);
        for (unsigned i = 0; i != rounds; ++i) {
          // Mostly its own part, and now and then any; more and more of the latter.
          constexpr unsigned own = stretches / workers;
          unsigned const s = random() % rounds < i / 8 ? random() % stretches : w * own + random() % own;
          std::unique_lock lock(mutex, std::defer_lock);
          if (with_mutex && i % 32 == 0) lock.lock();
          bool const alone = FlatHolds::of(stretch(s)) == holds.mark(w) || holds.take(stretch(s), w);
          std::atomic_ref const sum(sums[s]);
          if (alone)
            sum.store(sum.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
          else
            sum.fetch_add(1, std::memory_order_relaxed);
          held += alone;
          if (i % 16 == 0 && holds.wanted(w)) holds.give_up(w);
        }
        holds.leave(w);
        plain += held;
      });
    threads.clear();
    std::uint64_t all = 0;
    for (std::uint64_t const sum : sums) all += sum;
    BOOST_TEST(all == std::uint64_t{workers} * rounds);
    BOOST_TEST(plain != 0u);
  }
}
