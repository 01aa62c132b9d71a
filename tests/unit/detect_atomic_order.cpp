/// Which moments of lanes atomics order: AtomicOrder alone, as teams tell it what they release and acquire.
#include <teamsan/sim/detect/AtomicOrder.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>

using teamsan::detect::AtomicOrder;

namespace {

constexpr std::uintptr_t flag = 0x1000, other_flag = 0x2000;

/// A team that counts its ticks as Team does.
class Actor {
 public:
  Actor(AtomicOrder& order, std::uint64_t league, std::uint32_t vector_length = 1)
      : m_order(order), m_log(order.log(league, vector_length)) {}

  /// A store or load of that lane, now.
  AtomicOrder::Moment now(std::uint32_t lane, bool atomic = false) const {
    return {lane, std::max(m_met, own(lane)), atomic};
  }
  void barrier() {
    m_met = ++m_tick;
    m_order.meet(m_log, m_tick);
  }
  /// Here it advances the lanes of all threads.
  void thread_meeting(std::uint32_t thread) {
    m_met = ++m_tick;
    m_order.meet_thread(m_log, thread, m_tick);
  }
  void fence(std::uint32_t lane) { m_fence = m_own[lane] = ++m_tick; }
  void release(std::uint32_t lane, std::uintptr_t address) { m_order.release(m_log, standing(lane), address, m_fence); }
  void release_order(std::uint32_t lane, std::uintptr_t address) {
    m_order.release(m_log, standing(lane), address, m_tick + 1);
    m_own[lane] = ++m_tick;
  }
  AtomicOrder::Acquired acquire(std::uint32_t lane, std::uintptr_t address, bool idle = false) {
    auto const acquired = m_order.acquire(m_log, standing(lane), address, idle);
    if (acquired == AtomicOrder::Acquired::news) m_own[lane] = ++m_tick;
    return acquired;
  }
  AtomicOrder::Log const& log() const { return m_log; }

 private:
  std::uint32_t own(std::uint32_t lane) const {
    auto const found = m_own.find(lane);
    return found == m_own.end() ? 0 : found->second;
  }
  AtomicOrder::Standing standing(std::uint32_t lane) const {
    return {lane, std::max(m_met, own(lane)), m_tick + 1, m_met, m_met};
  }
  AtomicOrder& m_order;
  AtomicOrder::Log& m_log;
  std::uint32_t m_tick = 1, m_met = 1, m_fence = 0;
  std::map<std::uint32_t, std::uint32_t> m_own;
};

struct Fixture {
  AtomicOrder order;
  Actor a{order, 0}, b{order, 1}, c{order, 2};
  bool ordered(Actor const& x, AtomicOrder::Moment m, Actor const& y, AtomicOrder::Moment n) {
    return order.orders(&x.log(), x.log().normal(m), &y.log(), y.log().normal(n));
  }
};

}  // namespace

BOOST_FIXTURE_TEST_SUITE(atomic_order, Fixture)

BOOST_AUTO_TEST_CASE(only_what_lies_before_the_fence_and_behind_the_acquire) {
  auto const before = a.now(0);
  a.fence(0);
  auto const between = a.now(0);
  a.release(0, flag);
  auto const early = b.now(0);
  BOOST_TEST((b.acquire(0, flag) == AtomicOrder::Acquired::news));
  auto const late = b.now(0);
  BOOST_TEST(ordered(a, before, b, late));
  BOOST_TEST(ordered(b, late, a, before));
  BOOST_TEST(!ordered(a, between, b, late));
  BOOST_TEST(!ordered(a, before, b, early));
}

BOOST_AUTO_TEST_CASE(a_release_order_needs_no_fence) {
  auto const before = a.now(0);
  a.release_order(0, flag);
  auto const behind = a.now(0);
  b.acquire(0, flag);
  BOOST_TEST(ordered(a, before, b, b.now(0)));
  BOOST_TEST(!ordered(a, behind, b, b.now(0)));
}

BOOST_AUTO_TEST_CASE(other_lanes_need_a_barrier) {
  auto const others = a.now(5);
  a.fence(0);
  a.release(0, flag);
  b.acquire(0, flag);
  auto const before_barrier = b.now(7);
  BOOST_TEST(!ordered(a, others, b, b.now(0)));
  BOOST_TEST(!ordered(a, a.now(0), b, before_barrier));
  b.barrier();
  a.barrier();
  auto const others_met = a.now(5);
  a.barrier();
  a.fence(0);
  a.release(0, flag);
  b.acquire(0, flag);
  BOOST_TEST(!ordered(a, others_met, b, b.now(7)));
  b.barrier();
  BOOST_TEST(ordered(a, others_met, b, b.now(7)));
  BOOST_TEST(ordered(a, others, b, b.now(7)));
}

BOOST_AUTO_TEST_CASE(chains_through_another_team) {
  auto const first = a.now(0);
  a.fence(0);
  a.release(0, flag);
  b.acquire(0, flag);
  b.fence(0);
  b.release(0, other_flag);
  c.acquire(0, other_flag);
  BOOST_TEST(ordered(a, first, c, c.now(0)));
}

BOOST_AUTO_TEST_CASE(no_chain_through_lanes_that_have_not_met) {
  auto const first = a.now(0);
  a.fence(0);
  a.release(0, flag);
  b.acquire(3, flag);
  b.fence(0);
  b.release(0, other_flag);
  c.acquire(0, other_flag);
  BOOST_TEST(!ordered(a, first, c, c.now(0)));
  b.barrier();
  b.fence(0);
  b.release(0, other_flag);
  c.acquire(0, other_flag);
  BOOST_TEST(ordered(a, first, c, c.now(0)));
}

BOOST_AUTO_TEST_CASE(who_acquired_before_the_release_saw_nothing_of_it) {
  a.fence(0);
  a.release(0, flag);
  b.acquire(0, flag);
  auto const later = a.now(0);
  a.fence(0);
  a.release(0, flag);
  BOOST_TEST(!ordered(a, later, b, b.now(0)));
  BOOST_TEST((b.acquire(0, flag) == AtomicOrder::Acquired::news));
  BOOST_TEST(ordered(a, later, b, b.now(0)));
  BOOST_TEST((b.acquire(0, flag) == AtomicOrder::Acquired::nothing));
}

BOOST_AUTO_TEST_CASE(an_idle_lane_learns_more_by_the_same_acquire) {
  auto const of_a = a.now(0), of_c = c.now(0);
  a.fence(0);
  a.release(0, flag);
  b.acquire(0, flag);
  auto const waiting = b.now(0);
  c.fence(0);
  c.release(0, flag);
  BOOST_TEST((b.acquire(0, flag, true) == AtomicOrder::Acquired::more));
  BOOST_TEST(ordered(a, of_a, b, waiting));
  BOOST_TEST(ordered(c, of_c, b, b.now(0)));
}

BOOST_AUTO_TEST_CASE(an_atomic_is_covered_by_its_own_release) {
  a.fence(0);
  auto const atomic = a.now(0, true), plain = a.now(0);
  a.release(0, flag);
  b.acquire(0, flag);
  BOOST_TEST(ordered(a, atomic, b, b.now(0)));
  BOOST_TEST(!ordered(a, plain, b, b.now(0)));
}

BOOST_AUTO_TEST_CASE(vector_lanes_are_ordered_by_their_threads_meetings) {
  Actor d(order, 3, 4);
  auto const same_thread = d.now(2), other_thread = d.now(4);
  d.barrier();
  auto const unmet = d.now(2);
  d.fence(1);
  d.release(1, flag);
  b.acquire(0, flag);
  BOOST_TEST(ordered(d, same_thread, b, b.now(0)));
  BOOST_TEST(ordered(d, other_thread, b, b.now(0)));
  BOOST_TEST(!ordered(d, unmet, b, b.now(0)));
}

BOOST_AUTO_TEST_CASE(in_a_team_only_the_past_counts) {
  auto const first = a.now(2);
  a.fence(2);
  a.release(2, flag);
  a.acquire(5, flag);
  auto const second = a.now(5);
  BOOST_TEST(order.orders(&a.log(), first, &a.log(), second, true));
  BOOST_TEST(!order.orders(&a.log(), a.now(2), &a.log(), second, true));
  BOOST_TEST(!order.orders(&a.log(), second, &a.log(), first, true));
}

BOOST_AUTO_TEST_CASE(lanes_that_do_the_same_share_a_release_until_they_meet) {
  using Alike = AtomicOrder::Alike;
  Actor wide(order, 3, 4);
  wide.fence(1);
  auto const alike = [&](std::uint32_t lane, Alike as) {
    auto moment = wide.now(lane);
    moment.alike = as;
    return moment;
  };
  auto const own = alike(1, Alike::thread), others = alike(3, Alike::thread), alone = alike(3, Alike::none);
  auto const result = alike(9, Alike::team), elsewhere = alike(9, Alike::thread);
  wide.release(1, flag);
  b.acquire(0, flag);
  auto const late = b.now(0);
  BOOST_TEST(ordered(wide, others, b, late));
  BOOST_TEST(ordered(wide, result, b, late));
  BOOST_TEST(!ordered(wide, own, b, late));  // behind its fence
  BOOST_TEST(!ordered(wide, alone, b, late));
  BOOST_TEST(!ordered(wide, elsewhere, b, late));
  wide.thread_meeting(0);
  BOOST_TEST(!ordered(wide, alike(3, Alike::thread), b, late));
  BOOST_TEST(ordered(wide, alike(9, Alike::team), b, late));
  wide.barrier();
  BOOST_TEST(!ordered(wide, alike(9, Alike::team), b, late));
}

BOOST_AUTO_TEST_CASE(teams_that_tell_nothing_are_in_no_order) {
  a.release_order(0, flag);
  BOOST_TEST(!ordered(a, a.now(0), b, b.now(0)));
  BOOST_TEST(!order.orders(nullptr, a.now(0), &b.log(), b.now(0)));
  BOOST_TEST((order.find(9) == nullptr));
}

BOOST_AUTO_TEST_CASE(unknown_ticks_are_ordered) {
  a.release_order(0, flag);
  b.acquire(0, flag);
  BOOST_TEST(ordered(a, {0, AtomicOrder::unknown_tick}, b, b.now(0)));
  order.lose();
  BOOST_TEST(ordered(a, a.now(0), b, b.now(0)));
}

BOOST_AUTO_TEST_CASE(questions_differ) {
  AtomicOrder::Moment const x{1, 2}, y{2, 1};
  BOOST_TEST(AtomicOrder::question(0, x, 1, y) != AtomicOrder::question(1, x, 0, y));
  BOOST_TEST(AtomicOrder::question(0, x, 1, y) != AtomicOrder::question(0, y, 1, x));
  BOOST_TEST(AtomicOrder::question(0, x, 1, y) >> 63 == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
