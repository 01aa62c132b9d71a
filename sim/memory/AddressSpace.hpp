// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which addresses of one space (device, shared, pinned) are handed out. They depend on the sequence of calls
/// alone. What is given back rests, so that late accesses are seen: it is handed out again once so much was
/// given back after it, or when nothing else is left, the oldest first. Neighbours that have rested become
/// one range.
#pragma once

#include "../base/Arena.hpp"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <utility>

namespace teamsan {

/// Ranges that do not overlap; those that touch are one.
class RangeSet {
 public:
  /// The range that it has become part of.
  AddressRange add(AddressRange range);
  /// `range` lies in one of the set's.
  void remove(AddressRange range);
  /// The one that holds the address; empty: none.
  AddressRange around(std::uintptr_t address) const;
  /// The smallest that is large enough, of equal ones the lowest; empty: none.
  AddressRange best_fit(std::size_t bytes) const;

 private:
  void insert(AddressRange range);
  void erase(AddressRange range);
  std::map<std::uintptr_t, std::uintptr_t> m_ends;
  std::set<std::pair<std::size_t, std::uintptr_t>> m_by_size;
};

class AddressSpace {
 public:
  /// Blocks smaller than `large` share pages with others, and so take memory while they rest: of these
  /// `small_rest` bytes rest, of all blocks `rest`; the latest one always does.
  static constexpr std::size_t large = std::size_t{64} << 10;
  static constexpr std::size_t small_rest = std::size_t{4} << 20;
  static constexpr std::size_t rest = std::size_t{1} << 30;

  explicit AddressSpace(AddressRange all) : m_all(all), m_next(all.begin) {}

  /// Where a block of that size is to lie; 0: there is no room.
  std::uintptr_t take(std::size_t bytes);
  /// A block that take gave out.
  void give_back(AddressRange block);
  /// Does nobody have any of the range, which lies in the space?
  bool is_idle(AddressRange range) const;
  /// All that was ever handed out lies before.
  std::uintptr_t used_until() const { return m_used_until; }

 private:
  std::uintptr_t reuse(std::size_t bytes);
  void wake_oldest();

  AddressRange m_all;
  std::uintptr_t m_next, m_used_until = 0;
  RangeSet m_idle;  ///< resting or free
  RangeSet m_free;
  std::deque<AddressRange> m_resting;  ///< oldest first
  std::size_t m_resting_bytes = 0, m_small_bytes = 0;
};

}  // namespace teamsan
