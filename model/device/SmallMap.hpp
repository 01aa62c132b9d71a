// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A map from 64-bit keys to small counts for the few dozen words or sectors of one warp access: open
/// addressing in a fixed array, nothing to allocate and almost nothing to clear. Cannot hold more than `slots
/// - 1` keys.
#pragma once

#include <array>
#include <bit>
#include <cassert>
#include <cstddef>
#include <cstdint>

namespace teamsan::model::Impl {

template <std::size_t slots>
class SmallMap {
  static_assert(std::has_single_bit(slots) && slots >= 64);

 public:
  SmallMap() { m_occupied.fill(0); }

  /// The count of `key`, 0 if it was not there; it is there from now on.
  std::uint32_t& operator[](std::uint64_t key) {
    // Fibonacci hashing: the strides that kernels use fall on different slots.
    std::size_t slot =
        static_cast<std::size_t>((key * 0x9e3779b97f4a7c15u) >> (64 - std::countr_zero(slots)));
    while (occupied(slot)) {
      if (m_key[slot] == key) return m_count[slot];
      slot = (slot + 1) % slots;
    }
    assert(m_size + 1 < slots);
    m_occupied[slot / 64] |= std::uint64_t{1} << slot % 64;
    m_key[slot] = key;
    ++m_size;
    return m_count[slot] = 0;
  }

  /// True if `key` was not there yet.
  bool insert(std::uint64_t key) {
    std::uint32_t const before = m_size;
    (*this)[key];
    return m_size != before;
  }

  std::uint32_t size() const { return m_size; }

 private:
  bool occupied(std::size_t slot) const { return (m_occupied[slot / 64] >> slot % 64 & 1) != 0; }

  std::array<std::uint64_t, slots / 64> m_occupied;
  std::array<std::uint64_t, slots> m_key;
  std::array<std::uint32_t, slots> m_count;
  std::uint32_t m_size = 0;
};

}  // namespace teamsan::model::Impl
