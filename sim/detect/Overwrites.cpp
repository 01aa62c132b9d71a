// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Overwrites.hpp"

#include "Checker.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/Team.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace teamsan::detect {

void ValueCopy::set(void const* from) { std::memcpy(data(), from, m_bytes); }

bool Overwrites::covers(std::vector<Range> const& ranges, Range range) {
  for (Range const& r : ranges)
    if (r.begin <= range.begin) range.begin = std::max(range.begin, r.end);
  return range.begin >= range.end;
}

void Overwrites::include(std::vector<Range>& ranges, Range range) {
  auto const first = std::ranges::find_if(ranges, [&](Range const& r) { return r.end >= range.begin; });
  auto last = first;
  for (; last != ranges.end() && last->begin <= range.end; ++last) {
    range.begin = std::min(range.begin, last->begin);
    range.end = std::max(range.end, last->end);
  }
  ranges.insert(ranges.erase(first, last), range);
}

void Overwrites::note(Access const& access, std::size_t offset, std::size_t value_bytes) {
  if (m_iterations == 0 || m_has_read) return;
  Range const range{static_cast<std::uint32_t>(offset),
                    static_cast<std::uint32_t>(std::min<std::size_t>(offset + access.bytes, value_bytes))};
  if (access.kind != AccessKind::write) {
    m_has_read = !covers(m_stored, range);
    return;
  }
  if (m_stored.empty()) {
    m_stored_site = access.site;
    m_stored_bytes = access.bytes;
  }
  include(m_stored, range);
}

void Overwrites::end_iteration() {
  m_latest = !m_has_read && !m_stored.empty();
  if (m_latest) {
    if (m_overwrote++ == 0) {
      m_site = m_stored_site;
      m_bytes = m_stored_bytes;
    }
    for (Range const& range : m_stored) include(m_overwritten, range);
  }
  m_has_read = false;
  m_stored.clear();
}

bool Overwrites::alike(ReducedValueCalls const& calls, void const* value, void const* other, std::size_t bytes) const {
  ValueCopy mixed(bytes, other);
  for (Range const& r : m_overwritten)
    std::memcpy(static_cast<std::byte*>(mixed.data()) + r.begin, static_cast<std::byte const*>(value) + r.begin,
                r.end - r.begin);
  return calls.equal(mixed.data(), other, bytes);
}

Key Overwrites::key() const { return {Rule::lost_contribution, m_site, Site{}, 0}; }

RawFinding Overwrites::finding(std::uint64_t team, std::size_t lane) const {
  RawFinding f;
  f.rule = Rule::lost_contribution;
  f.title = "a reduction's body overwrites what has been reduced";
  RawSide side;
  side.access = AccessKind::write;
  side.bytes = m_bytes;
  side.lane = {true, team, static_cast<std::uint32_t>(lane)};
  side.site = m_site;
  f.sides.push_back(std::move(side));
  f.at_least = true;
  return f;
}

void Overwrites::tell(Team& team, std::size_t lane, bool once, bool always) const {
  auto const make = [&] {
    RawFinding f = finding(team.league_rank(), lane);
    if (!always) f.severity = Severity::warning;
    f.why = {because(Reason::accumulator_overwritten)};
    if (once) f.why.push_back(because(Reason::one_iteration_each));
    f.fix = remedy(Cure::combine_with_accumulator);
    return f;
  };
  add_finding(team, key(), make, LaneIs::gone_on);
}

std::vector<std::size_t> those_that_drop(std::span<Reduced const> lanes, bool always, void const* kernel,
                                         ReducedValueCalls const& calls, std::size_t bytes) {
  std::vector<std::size_t> found;
  ValueCopy before(bytes), joined(bytes), joined_before(bytes);
  bool any_before = false, idempotent = false;
  calls.init(kernel, joined.data());
  for (std::size_t i = 0; i != lanes.size(); ++i) {
    auto const& [lane, value] = lanes[i];
    if (lane->iterations() == 0) continue;
    if (!any_before) {
      if (calls.equal(joined.data(), value, bytes)) continue;  // nothing yet
      any_before = true;
      before.set(value);
      joined.set(value);
      calls.join(kernel, joined.data(), before.data());
      idempotent = calls.equal(joined.data(), value, bytes);
      continue;
    }
    joined.set(before.data());
    if (idempotent) calls.join(kernel, joined.data(), value);
    bool lost = lane->any() && (idempotent || always) && !lane->alike(calls, value, joined.data(), bytes);
    if (lost && idempotent) {
      joined_before.set(value);
      calls.join(kernel, joined_before.data(), before.data());
      lost = !lane->alike(calls, value, joined_before.data(), bytes);
    }
    if (lost) found.push_back(i);
    if (idempotent) before.set(joined.data());
  }
  return found;
}

}  // namespace teamsan::detect
