// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the lanes of one launch touched, byte by byte: who came there, by which operation, between which meetings.
#pragma once

#include "Case.hpp"
#include "Touches.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace property::bytes {

/// One byte of one access.
struct Touch {
  std::uint32_t byte, team, epoch, lane, thread, turn, order;
  std::int8_t slot;
  Flavour flavour;
  bool uniform;
  std::uint8_t within;  ///< which byte of the access
};

/// An access whose value counts.
struct Read {
  Deal deal;
  std::uint32_t byte, bytes, order;  ///< those that lie in the array
};

/// Slots and arrays are few.
constexpr std::int8_t narrow(int n) { return static_cast<std::int8_t>(n); }

class TouchLog {
 public:
  TouchLog(Case const& c, int kernel);

  /// Notes the access of a lane that made so many before: those of its bytes that lie in the array.
  void add(Deal const& d, std::uint32_t order);
  /// All have been noted.
  void close();

  Kernel const& kernel() const { return m_kernel; }
  int number() const { return m_number; }
  std::size_t arrays() const { return m_case.arrays.size(); }
  Array const& array(int a) const { return m_case.arrays[static_cast<std::size_t>(a)]; }
  Operation const& operation(int slot) const { return m_kernel.operations[static_cast<std::size_t>(slot)]; }
  /// Of an array, in bytes that are numbered through all.
  std::uint32_t base(int a) const { return m_base[static_cast<std::size_t>(a)]; }
  /// Pieces of it that teams have: one for each thread, or one.
  std::uint32_t parts(int a) const { return is_per_thread(array(a).place) ? static_cast<std::uint32_t>(m_kernel.team) : 1; }
  /// The array that owns the byte; no alias.
  int owner(std::uint32_t byte) const;

  /// Of a byte, by team, then epoch, then lane, then the lane's order.
  std::span<Touch const> of(std::uint32_t byte) const { return part(m_touches, m_at, byte); }
  /// The same of those that write.
  std::span<Touch const> writes(std::uint32_t byte) const { return part(m_writes, m_writes_at, byte); }
  std::vector<Touch> const& all() const { return m_touches; }
  std::vector<Read> const& reads() const { return m_reads; }

 private:
  static std::span<Touch const> part(std::vector<Touch> const& touches, std::vector<std::uint32_t> const& at,
                                     std::uint32_t byte) {
    return {touches.data() + at[byte], touches.data() + at[byte + 1]};
  }

  Case const& m_case;
  Kernel const& m_kernel;
  int m_number;
  std::vector<std::uint32_t> m_base;
  std::uint32_t m_bytes = 0;
  std::vector<Touch> m_touches, m_writes;
  std::vector<std::uint32_t> m_at, m_writes_at;
  std::vector<Read> m_reads;
};

}  // namespace property::bytes
