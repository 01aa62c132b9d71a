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

void Accumulators::judge(Team& team, void const* kernel, ReducedValueCalls const& calls, bool of_scan) {
  for (Overwrites& lane : m_lanes) lane.end_iteration();
  if (std::ranges::none_of(m_lanes, &Overwrites::any)) return;
  bool const always = std::ranges::all_of(m_lanes, &Overwrites::always);
  if (of_scan && !always) return;
  bool const once = std::ranges::all_of(m_lanes, [](Overwrites const& l) { return l.iterations() <= 1; });
  std::vector<Reduced> lanes;
  for (std::size_t i = 0; i != m_lanes.size(); ++i)
    lanes.push_back({&m_lanes[i], reinterpret_cast<void const*>(m_begin + i * m_bytes)});
  for (std::size_t const i : those_that_drop(lanes, always, kernel, calls, m_bytes)) m_lanes[i].tell(team, i, once, always);
}

}  // namespace teamsan::detect
