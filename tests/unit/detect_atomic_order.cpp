// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which moments of lanes atomics order: AtomicOrder alone, as teams tell it what they release and acquire.
#include "../../sim/machine/AtomicOrder.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

using teamsan::AtomicOrder;

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
  void release(std::uint32_t lane, std::uintptr_t address) {
    if (m_fence != 0) m_order.release(m_log, standing(lane), address, m_fence);
  }
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
  std::uint32_t latest() const { return m_tick; }

  /// As RunningTeam::renumber. `forgets`: the older half of what others have to do with.
  teamsan::TickMap renumber(bool forgets) {
    std::vector<std::uint32_t> bounds;
    AtomicOrder::add_bounds(m_log, bounds);
    std::sort(bounds.begin(), bounds.end());
    bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
    std::uint32_t known_from = 0;
    if (forgets && bounds.size() > 1) {
      bounds.erase(bounds.begin(), bounds.begin() + static_cast<std::ptrdiff_t>(bounds.size() / 2));
      known_from = bounds.front() == AtomicOrder::never ? 0 : bounds.front();
    }
    bounds.insert(bounds.end(), {m_tick, m_met, m_fence});
    teamsan::TickMap const map(bounds, m_tick);
    m_order.renumber(m_log, map, known_from);
    for (auto& [lane, tick] : m_own) tick = map(tick);
    for (std::uint32_t* const tick : {&m_tick, &m_met, &m_fence})
      if (*tick != 0) *tick = map(*tick);
    return map;
  }

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
}

BOOST_AUTO_TEST_CASE(beyond_its_limits_all_is_ordered) {
  for (bool const by_steps : {false, true}) {
    AtomicOrder limited(by_steps ? AtomicOrder::Limits{1000, 400} : AtomicOrder::Limits{40, 100000});
    Actor x(limited, 0), y(limited, 1);
    auto const ordered_now = [&] { return limited.orders(&x.log(), x.now(0), &y.log(), y.now(0)); };
    auto const lost = [&] { return by_steps ? limited.lost_steps() : limited.lost_events(); };
    int turns = 0;
    for (; !lost() && turns != 100; ++turns) {
      BOOST_TEST((ordered_now() == lost()));
      x.release_order(0, flag);
      y.acquire(0, flag);
      y.release_order(0, other_flag);
      x.acquire(0, other_flag);
    }
    BOOST_TEST((by_steps ? !limited.lost_events() : !limited.lost_steps()));
    BOOST_TEST(turns > 3);
    BOOST_TEST(turns < 100);
    BOOST_TEST(ordered_now());
  }
}

/// Two orders are told the same, by teams that count their ticks alike; in one of them the ticks are numbered anew now and
/// then. All questions have the same answers, or, where something was forgotten, one that errs towards order.
BOOST_AUTO_TEST_CASE(ticks_that_are_numbered_anew_compare_as_before) {
  unsigned asked = 0, ordered_pairs = 0, forgotten = 0, ticks = 0, ticks_anew = 0;
  for (unsigned seed = 1; seed != 40 / FEWER_STEPS; ++seed) {
    std::mt19937 random(seed);
    bool const forgets = seed % 3 == 0;
    AtomicOrder plain, renumbered;
    constexpr unsigned teams = 3, lanes = 6;
    std::uint32_t const vector_length = 1 + random() % 3;
    std::vector<Actor> as_ever, anew;
    for (unsigned t = 0; t != teams; ++t) {
      as_ever.emplace_back(plain, t, vector_length);
      anew.emplace_back(renumbered, t, vector_length);
    }
    struct Access {
      unsigned team;
      AtomicOrder::Moment as_ever, anew;
    };
    std::vector<Access> accesses;
    for (unsigned step = 0; step != 120; ++step) {
      unsigned const t = random() % teams;
      std::uint32_t const lane = random() % lanes;
      std::uintptr_t const address = 0x1000 * (1 + random() % 4);
      unsigned const what = random() % 8, barriers = random() % 4 == 0 ? 20 : 1;
      for (std::vector<Actor>* const actors : {&as_ever, &anew}) {
        Actor& actor = (*actors)[t];
        switch (what) {
          case 0:
            for (unsigned i = 0; i != barriers; ++i) actor.barrier();
            break;
          case 1: actor.thread_meeting(lane / vector_length); break;
          case 2: actor.fence(lane); break;
          case 3: actor.release(lane, address); break;
          case 4: actor.release_order(lane, address); break;
          case 5:
          case 6: actor.acquire(lane, address); break;
          default: break;
        }
      }
      // Which atomics a release covers hangs on whether it is told again, which is more often where something was forgotten.
      Access const access{t, as_ever[t].now(lane, !forgets && random() % 4 == 0), anew[t].now(lane)};
      accesses.push_back(access);
      accesses.back().anew.atomic = access.as_ever.atomic;
      accesses.back().as_ever.alike = accesses.back().anew.alike = static_cast<AtomicOrder::Alike>(random() % 3);
      if (random() % 20 != 0) continue;
      unsigned const again = random() % teams;
      auto const map = anew[again].renumber(forgets);
      for (Access& a : accesses)
        if (a.team == again) a.anew.tick = map(a.anew.tick);
    }
    ticks += as_ever[0].latest(), ticks_anew += anew[0].latest();
    for (Access const& x : accesses)
      for (Access const& y : accesses) {
        bool const earlier = x.team == y.team;
        auto const ask = [&](AtomicOrder& order, std::vector<Actor> const& actors, auto const& m, auto const& n) {
          AtomicOrder::Log const &a = actors[x.team].log(), &b = actors[y.team].log();
          return order.orders(&a, a.normal(m), &b, b.normal(n), earlier);
        };
        bool const before = ask(plain, as_ever, x.as_ever, y.as_ever), after = ask(renumbered, anew, x.anew, y.anew);
        ++asked;
        ordered_pairs += before;
        forgotten += before != after;
        if (before != after && (!forgets || before)) BOOST_FAIL("seed " << seed << ": " << before << " became " << after);
      }
  }
  BOOST_TEST(ordered_pairs > asked / 20);
  BOOST_TEST(ordered_pairs < asked / 20 * 19);
  BOOST_TEST(forgotten != 0u);
  BOOST_TEST(ticks_anew < ticks);
}

BOOST_AUTO_TEST_CASE(a_tick_map_keeps_how_ticks_compare_with_bounds) {
  using teamsan::TickMap;
  std::mt19937 random(1);
  for (unsigned turn = 0; turn != 50; ++turn) {
    std::uint32_t const latest = 1 + random() % 300;
    std::vector<std::uint32_t> bounds{latest, 0, AtomicOrder::never};
    for (unsigned i = random() % 40; i != 0; --i) bounds.push_back(1 + random() % (latest + 1));
    TickMap const map(bounds, latest);
    BOOST_TEST(map(1) == 1u);
    BOOST_TEST(map(latest) <= bounds.size() + 2);
    for (std::uint32_t const bound : bounds)
      for (std::uint32_t tick = 1; tick <= latest && bound != 0 && bound <= latest + 1; ++tick)
        BOOST_TEST((tick < bound) == (map(tick) < map(bound)));
  }
}

BOOST_AUTO_TEST_CASE(questions_differ) {
  AtomicOrder::Moment const x{1, 2}, y{2, 1};
  BOOST_TEST(AtomicOrder::question(0, x, 1, y) != AtomicOrder::question(1, x, 0, y));
  BOOST_TEST(AtomicOrder::question(0, x, 1, y) != AtomicOrder::question(0, y, 1, x));
  BOOST_TEST((AtomicOrder::question(0, x, 1, y) >> 63) == 0u);
}

BOOST_AUTO_TEST_SUITE_END()
