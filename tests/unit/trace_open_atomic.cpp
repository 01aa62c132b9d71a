// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Of an atomic's steps a trace has one event, from which the same steps come back; what is no step of it, or comes in another
/// order, stands by itself.
#include <boost/test/unit_test.hpp>

#include "../../sim/trace/OpenAtomic.hpp"

#include <utility>
#include <vector>

using namespace teamsan;
using namespace teamsan::traces;
using trace::OpenAtomic;

namespace {

using Effect = AtomicOutcome::Effect;

constexpr std::uintptr_t address = 0x100000000040;
constexpr Site site{0x401020};
constexpr AtomicDeed deed{address, site, model::Operation::atomic, 3, true, model::AtomicKind::compare_exchange, true};

struct Recorded {
  OpenAtomic atomic;
  std::vector<Event> events;

  Recorded() { atomic.open(deed); }
  bool take(EventKind kind, Site by, std::uint64_t operand, std::uint64_t detail = 0) {
    return atomic.take(event_key(kind, by, detail), operand);
  }
  std::vector<Event> const& close() {
    atomic.close([this](std::uint64_t key, std::uint64_t operand) { events.push_back({key, operand}); });
    return events;
  }
};

}  // namespace

BOOST_AUTO_TEST_CASE(all_steps_make_one_event) {
  Recorded r;
  BOOST_CHECK(r.take(EventKind::release, {}, address, 1));
  BOOST_CHECK(r.take(EventKind::acquire, {}, address));
  BOOST_CHECK(r.take(EventKind::handover, site, address, 3));
  BOOST_CHECK(r.take(EventKind::effect, site, 0, 1));
  BOOST_REQUIRE_EQUAL(r.close().size(), 1);
  Event const& e = r.events.front();
  BOOST_CHECK(e.kind() == EventKind::deed);
  BOOST_CHECK(e.is_known());
  BOOST_CHECK(e.deed() == deed);
  BOOST_CHECK(e.outcome() == (AtomicOutcome{true, true, true, true, 3, Effect::changed}));
  BOOST_CHECK(!r.atomic.is_open());
}

BOOST_AUTO_TEST_CASE(steps_may_be_missing) {
  Recorded r;
  BOOST_CHECK(r.take(EventKind::acquire, {}, address));
  BOOST_CHECK(r.take(EventKind::effect, site, 0, lock_left_by_load));
  BOOST_REQUIRE_EQUAL(r.close().size(), 1);
  BOOST_CHECK(r.events.front().outcome() == (AtomicOutcome{false, false, true, false, 0, Effect::lock_left_by_load}));
}

BOOST_AUTO_TEST_CASE(what_comes_in_another_order_is_no_step) {
  Recorded r;
  BOOST_CHECK(r.take(EventKind::acquire, {}, address));
  BOOST_CHECK(!r.take(EventKind::release, {}, address, 1));
  BOOST_CHECK(!r.take(EventKind::acquire, {}, address));
  BOOST_CHECK(r.take(EventKind::effect, site, 0, 0));
  BOOST_CHECK(!r.take(EventKind::effect, site, 0, 1));
  BOOST_CHECK(!r.take(EventKind::ordered, {}, 1));
  BOOST_CHECK(r.close().front().outcome() == (AtomicOutcome{false, false, true, false, 0, Effect::none}));
}

BOOST_AUTO_TEST_CASE(nor_is_what_another_one_does) {
  Recorded r;
  BOOST_CHECK(!r.take(EventKind::release, {}, address + 8, 1));
  BOOST_CHECK(!r.take(EventKind::acquire, {}, address + 8));
  BOOST_CHECK(!r.take(EventKind::handover, Site{0x401030}, address, 3));
  BOOST_CHECK(!r.take(EventKind::effect, Site{0x401030}, 0, 1));
  BOOST_CHECK(!r.take(EventKind::read, site, address, 3));
  BOOST_CHECK(r.close().front().outcome() == AtomicOutcome{});
  BOOST_CHECK(!r.take(EventKind::release, {}, address, 1));
}

BOOST_AUTO_TEST_CASE(answers_to_its_beginning_stand_behind_it) {
  Recorded r;
  BOOST_CHECK(r.take(EventKind::ordered, {}, 7));
  BOOST_CHECK(r.take(EventKind::unseen_store, {}, address));
  BOOST_CHECK(!r.take(EventKind::same_values, {}, 1, 1));
  BOOST_CHECK(r.take(EventKind::release, {}, address, 0));
  BOOST_REQUIRE_EQUAL(r.close().size(), 3);
  BOOST_CHECK(r.events[0].outcome() == (AtomicOutcome{.released = true}));
  BOOST_CHECK(r.events[1].kind() == EventKind::ordered);
  BOOST_CHECK_EQUAL(r.events[1].operand, 7);
  BOOST_CHECK(r.events[2].kind() == EventKind::unseen_store);
}

BOOST_AUTO_TEST_CASE(what_no_atomic_comes_to_is_refused) {
  Event const whole{deed_key(deed, {}), address};
  BOOST_CHECK(whole.is_known());
  for (unsigned bit = 58; bit != 64; ++bit) BOOST_CHECK(!(Event{whole.key | std::uint64_t{1} << bit, address}.is_known()));
  BOOST_CHECK(!(Event{whole.key | std::uint64_t{5} << 55, address}.is_known()));
}
