// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TouchLog.hpp"

#include <algorithm>
#include <tuple>

namespace property::bytes {

TouchLog::TouchLog(Case const& c, int kernel)
    : m_case(c), m_kernel(c.kernels[static_cast<std::size_t>(kernel)]), m_number(kernel) {
  for (std::size_t a = 0; a != c.arrays.size(); ++a) {
    m_base.push_back(m_bytes);
    std::uint32_t const bytes = static_cast<std::uint32_t>(c.arrays[a].bytes) * parts(static_cast<int>(a));
    m_bytes += (bytes + 7) / 8 * 8;  // whole words
  }
}

void TouchLog::add(Deal const& d, std::uint32_t order) {
  Array const& a = array(d.array);
  auto const first = std::clamp<std::int64_t>(d.offset, 0, a.bytes),
             end = std::clamp<std::int64_t>(d.offset + d.bytes, 0, a.bytes);
  if (first >= end) return;
  std::uint32_t const begin = base(d.array) + (is_per_thread(a.place) ? d.thread * static_cast<std::uint32_t>(a.bytes) : 0) +
                              static_cast<std::uint32_t>(first);
  auto const bytes = static_cast<std::uint32_t>(end - first);
  for (std::uint32_t b = begin; b != begin + bytes; ++b)
    m_touches.push_back({b, d.team, d.epoch, d.lane, d.thread, d.turn, order, narrow(d.slot), d.flavour, d.uniform,
                         static_cast<std::uint8_t>(b - begin + (first - d.offset))});
  if (d.reads_value) m_reads.push_back({d, begin, bytes, order});
}

void TouchLog::close() {
  std::sort(m_touches.begin(), m_touches.end(), [](Touch const& a, Touch const& b) {
    return std::tie(a.byte, a.team, a.epoch, a.lane, a.order) < std::tie(b.byte, b.team, b.epoch, b.lane, b.order);
  });
  m_at.assign(m_bytes + 1, 0);
  m_writes_at.assign(m_bytes + 1, 0);
  m_writes.clear();
  for (Touch const& t : m_touches) {
    ++m_at[t.byte + 1];
    if (!may_write(t.flavour)) continue;
    m_writes.push_back(t);
    ++m_writes_at[t.byte + 1];
  }
  for (std::uint32_t b = 0; b != m_bytes; ++b) {
    m_at[b + 1] += m_at[b];
    m_writes_at[b + 1] += m_writes_at[b];
  }
}

int TouchLog::owner(std::uint32_t byte) const {
  int a = static_cast<int>(arrays()) - 1;
  while (base(a) > byte || array(a).alias_of >= 0 || byte >= base(a) + static_cast<std::uint32_t>(array(a).bytes) * parts(a))
    --a;
  return a;
}

}  // namespace property::bytes
