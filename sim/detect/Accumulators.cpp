// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Accumulators.hpp"

#include "Checker.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/Team.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace teamsan::detect {

namespace {

/// One of the program's values, of any alignment that it may have.
class Value {
 public:
  explicit Value(std::size_t bytes) : m_bytes(bytes), m_storage(bytes + alignment) {}
  void* data() {
    auto const at = reinterpret_cast<std::uintptr_t>(m_storage.data());
    return m_storage.data() + (alignment - at % alignment) % alignment;
  }
  void set(void const* from) { std::memcpy(data(), from, m_bytes); }

 private:
  static constexpr std::size_t alignment = 256;
  std::size_t m_bytes;
  std::vector<std::byte> m_storage;
};

}  // namespace

void Accumulators::begin(void const* values, std::size_t bytes, std::uint32_t lanes) {
  if (m_begin == reinterpret_cast<std::uintptr_t>(values)) return;
  m_begin = reinterpret_cast<std::uintptr_t>(values);
  m_bytes = bytes;
  m_lanes.assign(lanes, {});
}

void Accumulators::note(Access const& access) {
  OfLane& lane = m_lanes[(access.address - m_begin) / m_bytes];
  if (lane.iterations == 0 || std::exchange(lane.touched, true) || access.kind != AccessKind::write) return;
  if (lane.overwrote++ != 0) return;
  lane.pc = access.pc;
  lane.bytes = access.bytes;
}

void Accumulators::judge(Team& team, void const* kernel, ReducedValueCalls const& calls) {
  if (std::ranges::none_of(m_lanes, [](OfLane const& l) { return l.overwrote != 0; })) return;
  bool const always = std::ranges::all_of(m_lanes, [](OfLane const& l) { return l.overwrote == l.iterations; });
  bool const once = std::ranges::all_of(m_lanes, [](OfLane const& l) { return l.iterations <= 1; });
  Value before(m_bytes), joined(m_bytes);
  bool any_before = false, idempotent = false;
  calls.init(kernel, joined.data());
  for (std::size_t i = 0; i != m_lanes.size(); ++i) {
    OfLane const& lane = m_lanes[i];
    auto const value = reinterpret_cast<void const*>(m_begin + i * m_bytes);
    if (lane.iterations == 0) continue;
    if (!any_before) {
      if (calls.equal(joined.data(), value, m_bytes)) continue;  // nothing yet
      any_before = true;
      before.set(value);
      joined.set(value);
      calls.join(kernel, joined.data(), before.data());
      idempotent = calls.equal(joined.data(), value, m_bytes);
      continue;
    }
    joined.set(before.data());
    if (idempotent) calls.join(kernel, joined.data(), value);
    bool const lost = !calls.equal(joined.data(), value, m_bytes) && (idempotent || always);
    if (lane.overwrote != 0 && lost) add(team, i, once);
    if (idempotent) before.set(joined.data());
  }
}

void Accumulators::add(Team& team, std::size_t lane, bool once) {
  Key const key{Rule::lost_contribution, m_lanes[lane].pc, 0, 0};
  auto const make = [&] {
    RawFinding f;
    f.rule = Rule::lost_contribution;
    f.title = "a reduction's body overwrites what has been reduced";
    RawSide side;
    side.access = AccessKind::write;
    side.bytes = m_lanes[lane].bytes;
    side.lane = {true, team.league_rank(), static_cast<std::uint32_t>(lane)};
    side.pc = m_lanes[lane].pc;
    f.sides.push_back(std::move(side));
    f.why = {because(Reason::accumulator_overwritten)};
    if (once) f.why.push_back(because(Reason::one_iteration_each));
    f.fix = remedy(Cure::combine_with_accumulator);
    f.at_least = true;
    return f;
  };
  add_finding(team, key, make, LaneIs::gone_on);
}

}  // namespace teamsan::detect
