// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AddressSpace.hpp"

#include <algorithm>
#include <iterator>

namespace teamsan {

void RangeSet::insert(AddressRange range) {
  if (range.begin == range.end) return;
  m_ends.emplace(range.begin, range.end);
  m_by_size.emplace(range.bytes(), range.begin);
}

void RangeSet::erase(AddressRange range) {
  m_ends.erase(range.begin);
  m_by_size.erase({range.bytes(), range.begin});
}

AddressRange RangeSet::add(AddressRange range) {
  if (AddressRange const below = around(range.begin - 1); below.end == range.begin) {
    erase(below);
    range.begin = below.begin;
  }
  if (auto const above = m_ends.find(range.end); above != m_ends.end()) {
    AddressRange const next{above->first, above->second};
    erase(next);
    range.end = next.end;
  }
  insert(range);
  return range;
}

void RangeSet::remove(AddressRange range) {
  AddressRange const whole = around(range.begin);
  erase(whole);
  insert({whole.begin, range.begin});
  insert({range.end, whole.end});
}

AddressRange RangeSet::around(std::uintptr_t address) const {
  auto const after = m_ends.upper_bound(address);
  if (after == m_ends.begin()) return {};
  auto const [begin, end] = *std::prev(after);
  return address < end ? AddressRange{begin, end} : AddressRange{};
}

AddressRange RangeSet::best_fit(std::size_t bytes) const {
  auto const found = m_by_size.lower_bound({bytes, 0});
  return found == m_by_size.end() ? AddressRange{}
                                  : AddressRange{found->second, found->second + found->first};
}

std::uintptr_t AddressSpace::take(std::size_t bytes) {
  for (;; wake_oldest()) {
    if (std::uintptr_t const begin = reuse(bytes)) return begin;
    if (bytes <= m_all.end - m_next) {
      std::uintptr_t const begin = m_next;
      m_next += bytes;
      m_used_until = std::max(m_used_until, m_next);
      return begin;
    }
    if (m_resting.empty()) return 0;
  }
}

std::uintptr_t AddressSpace::reuse(std::size_t bytes) {
  AddressRange const range = m_free.best_fit(bytes);
  if (range.bytes() == 0) return 0;
  AddressRange const block{range.begin, range.begin + bytes};
  m_free.remove(block);
  m_idle.remove(block);
  return block.begin;
}

void AddressSpace::give_back(AddressRange block) {
  m_idle.add(block);
  m_resting.push_back(block);
  m_resting_bytes += block.bytes();
  if (block.bytes() < large) m_small_bytes += block.bytes();
  while ((m_resting_bytes > rest || m_small_bytes > small_rest) && m_resting.size() > 1) wake_oldest();
}

bool AddressSpace::is_idle(AddressRange range) const {
  AddressRange const idle = m_idle.around(range.begin);
  std::uintptr_t const first = idle.bytes() != 0 ? idle.end : range.begin;  // of what is not
  return first >= std::min(range.end, m_next);
}

void AddressSpace::wake_oldest() {
  AddressRange const block = m_resting.front();
  m_resting.pop_front();
  m_resting_bytes -= block.bytes();
  if (block.bytes() < large) m_small_bytes -= block.bytes();
  AddressRange const range = m_free.add(block);
  if (range.end != m_next) return;
  // The last one: as if it had never been handed out.
  m_free.remove(range);
  m_idle.remove(range);
  m_next = range.begin;
}

}  // namespace teamsan
