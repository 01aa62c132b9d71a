// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What goes into an encoder comes out of a decoder, whatever lanes do; and what no encoder made is refused.
#include <boost/test/unit_test.hpp>

#include "../../traces/EventDecoder.hpp"
#include "../../traces/EventEncoder.hpp"

#include <random>
#include <utility>
#include <vector>

using namespace teamsan::traces;
using teamsan::Site;

namespace {

struct Step {
  std::uint32_t lane;
  Event event;
};

Bytes encode(std::vector<Step> const& steps) {
  EventEncoder encoder;
  encoder.begin();
  Expected* cursor = nullptr;
  std::uint32_t running = ~0u;
  for (Step const& s : steps) {
    if (s.lane != running) {
      if (running != ~0u) encoder.leave(cursor);
      cursor = encoder.enter(running = s.lane);
    }
    bool const may_follow = s.event.kind() != EventKind::meet;
    if (!may_follow || !follow(cursor, s.event.key, s.event.operand))
      cursor = encoder.add(cursor, s.event.key, s.event.operand);
  }
  if (running != ~0u) encoder.leave(cursor);
  return encoder.take_bytes();
}

void check_round_trip(std::vector<Step> const& steps, Bytes const& bytes) {
  EventDecoder decoder;
  decoder.begin();
  decoder.feed(bytes);
  std::uint32_t lane = 0;
  Event event{};
  for (std::size_t i = 0; i != steps.size(); ++i) {
    BOOST_REQUIRE_MESSAGE(decoder.next(lane, event), "only " << i << " events of " << steps.size());
    bool const same =
        lane == steps[i].lane && event.key == steps[i].event.key && event.operand == steps[i].event.operand;
    BOOST_REQUIRE_MESSAGE(same, "event " << i << " is another one");
  }
  BOOST_CHECK(!decoder.next(lane, event));
}

Event read(std::uint32_t site, std::uint64_t address) { return {event_key(EventKind::read, Site{site}, 3), address}; }
Event meet(std::uint32_t site) { return {event_key(EventKind::meet, Site{site}, 1), 0}; }

/// A tile loop: each lane of 16 x 16 loads two elements, meets the others, and reads two rows of scratch.
std::vector<Step> tile_loop() {
  std::vector<Step> steps;
  for (std::uint64_t tile = 0; tile != 8; ++tile) {
    for (std::uint32_t lane = 0; lane != 256; ++lane) {
      steps.push_back({lane, read(0x401000, 0x100000000000 + 8 * (512 * (lane / 16) + 16 * tile + lane % 16))});
      steps.push_back({lane, {event_key(EventKind::write, Site{0x401010}, 3), 0x200000000000 + 8ull * lane}});
      steps.push_back({lane, meet(0x401020)});
    }
    for (std::uint32_t lane = 0; lane != 256; ++lane) {
      for (std::uint64_t k = 0; k != 16; ++k) {
        steps.push_back({lane, read(0x401030, 0x200000000000 + 8 * (16 * (lane / 16) + k))});
        steps.push_back({lane, read(0x401040, 0x200000001000 + 8 * (16 * k + lane % 16))});
      }
      steps.push_back({lane, meet(0x401050)});
    }
  }
  return steps;
}

/// Lanes that branch, loop, repeat and change at random.
std::vector<Step> wild(unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Step> steps;
  std::uint32_t const lanes = 1 + static_cast<std::uint32_t>(random() % 40);
  std::uint32_t lane = 0;
  for (unsigned i = 0; i != 5000; ++i) {
    auto const site = static_cast<std::uint32_t>(0x400000 + random() % (1 + random() % 20));
    switch (random() % 8) {
      case 0:
        lane = static_cast<std::uint32_t>(random() % lanes);
        break;
      case 1:
        steps.push_back({lane, meet(site)});
        break;
      case 2:
        steps.push_back({lane, {event_key(EventKind::atomic, Site{site}, 300), random()}});
        steps.push_back({lane, {event_key(EventKind::deed, Site{site}, 300) | (random() & 0x27f) << 48, random()}});
        break;
      default:
        for (unsigned repeat = 0; repeat != 1 + site % 5; ++repeat) steps.push_back({lane, read(site, i * 8 * (site % 3))});
    }
  }
  return steps;
}

}  // namespace

BOOST_AUTO_TEST_CASE(what_lanes_do_alike_costs_almost_nothing) {
  auto const steps = tile_loop();
  Bytes const bytes = encode(steps);
  check_round_trip(steps, bytes);
  BOOST_CHECK_LT(bytes.size() * 2, steps.size());
}

BOOST_AUTO_TEST_CASE(whatever_lanes_do_comes_back) {
  for (unsigned seed = 0; seed != 200; ++seed) {
    auto const steps = wild(seed);
    check_round_trip(steps, encode(steps));
  }
}

BOOST_AUTO_TEST_CASE(a_long_way_without_a_meeting) {
  std::vector<Step> steps;
  for (std::uint32_t lane = 0; lane != 3; ++lane)
    for (std::uint64_t i = 0; i != 3 * Script::most + 17; ++i)
      steps.push_back({lane, read(0x400000 + i % 7, 0x100000000000 + 8 * i)});
  check_round_trip(steps, encode(steps));
}

BOOST_AUTO_TEST_CASE(definitions_are_numbered_as_they_come) {
  EventEncoder encoder;
  encoder.begin();
  Expected* cursor = encoder.enter(0);
  BOOST_CHECK_EQUAL(encoder.define(cursor, "tile"), 0u);
  cursor = encoder.add(cursor, event_key(EventKind::name, Site{}), 0);
  BOOST_CHECK_EQUAL(encoder.define(cursor, "sum"), 1u);
  BOOST_CHECK_EQUAL(encoder.define(cursor, "tile"), 0u);
  cursor = encoder.add(cursor, event_key(EventKind::name, Site{}), 1);
  encoder.leave(cursor);
  EventDecoder decoder;
  decoder.begin();
  Bytes const bytes = encoder.take_bytes();
  decoder.feed(bytes);
  std::uint32_t lane = 0;
  Event event{};
  BOOST_REQUIRE(decoder.next(lane, event));
  BOOST_CHECK_EQUAL(decoder.definition(event.operand), "tile");
  BOOST_REQUIRE(decoder.next(lane, event));
  BOOST_CHECK_EQUAL(decoder.definition(event.operand), "sum");
  BOOST_CHECK_THROW(decoder.definition(2), TraceError);
}

BOOST_AUTO_TEST_CASE(bytes_of_nobody_are_refused_or_end) {
  std::mt19937_64 random(7);
  Bytes const good = encode(wild(3));
  for (unsigned i = 0; i != 20000; ++i) {
    Bytes bytes = good;
    bytes.resize(bytes.size() / 4);
    for (unsigned flips = 0; flips != 3; ++flips) bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    EventDecoder decoder;
    decoder.begin();
    decoder.feed(bytes);
    std::uint32_t lane = 0;
    Event event{};
    try {
      for (unsigned events = 0; events != 100000 && decoder.next(lane, event); ++events) {
      }
    } catch (TraceError const&) {
    }
  }
}
