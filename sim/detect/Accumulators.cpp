// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Accumulators.hpp"

#include <algorithm>

namespace teamsan::detect {

void Accumulators::begin(void const* values, std::size_t bytes, std::uint32_t lanes) {
  if (m_begin == reinterpret_cast<std::uintptr_t>(values)) return;
  m_begin = reinterpret_cast<std::uintptr_t>(values);
  m_bytes = bytes;
  m_lanes.assign(lanes, {});
}

void Accumulators::note(Access const& access) {
  std::uintptr_t const offset = access.address - m_begin;
  m_lanes[offset / m_bytes].note(access, offset % m_bytes, m_bytes);
}

void Accumulators::judge(Team& team, void const* kernel, ReducedValueCalls const& calls) {
  for (Overwrites& lane : m_lanes) lane.end_iteration();
  if (std::ranges::none_of(m_lanes, &Overwrites::any)) return;
  bool const always = std::ranges::all_of(m_lanes, &Overwrites::always);
  bool const once = std::ranges::all_of(m_lanes, [](Overwrites const& l) { return l.iterations() <= 1; });
  ValueCopy before(m_bytes), joined(m_bytes), joined_before(m_bytes);
  bool any_before = false, idempotent = false;
  calls.init(kernel, joined.data());
  for (std::size_t i = 0; i != m_lanes.size(); ++i) {
    Overwrites const& lane = m_lanes[i];
    auto const value = reinterpret_cast<void const*>(m_begin + i * m_bytes);
    if (lane.iterations() == 0) continue;
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
    bool lost = lane.any() && (idempotent || always) && !lane.alike(calls, value, joined.data(), m_bytes);
    if (lost && idempotent) {
      joined_before.set(value);
      calls.join(kernel, joined_before.data(), before.data());
      lost = !lane.alike(calls, value, joined_before.data(), m_bytes);
    }
    if (lost) lane.tell(team, i, once, always);
    if (idempotent) before.set(joined.data());
  }
}

}  // namespace teamsan::detect
