// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// A set of up to 1024 lane positions, made for "the next one after p, going round".
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace teamsan {

class LaneSet {
 public:
  static constexpr std::uint32_t none = ~0u;
  static constexpr std::uint32_t most = 1024;  ///< lanes

  void fill(std::uint32_t count) {
    m_words = (count + 63) / 64;
    for (std::uint32_t w = 0; w != m_words; ++w) m_bits[w] = ~0ull;
    if (count % 64) m_bits[m_words - 1] = (1ull << count % 64) - 1;
  }
  void insert(std::uint32_t p) { m_bits[p / 64] |= 1ull << p % 64; }
  void erase(std::uint32_t p) { m_bits[p / 64] &= ~(1ull << p % 64); }

  /// The first member after p, going round past the end; p itself last.
  std::uint32_t after(std::uint32_t p) const {
    std::uint32_t w = p / 64;
    std::uint64_t const above = m_bits[w] & (~1ull << p % 64);
    if (above != 0) [[likely]]
      return w * 64 + static_cast<std::uint32_t>(std::countr_zero(above));
    for (std::uint32_t i = 0; i != m_words; ++i) {
      w = w + 1 == m_words ? 0 : w + 1;
      if (m_bits[w]) return w * 64 + static_cast<std::uint32_t>(std::countr_zero(m_bits[w]));
    }
    return none;
  }
  std::uint32_t first() const {
    for (std::uint32_t w = 0; w != m_words; ++w)
      if (m_bits[w]) return w * 64 + static_cast<std::uint32_t>(std::countr_zero(m_bits[w]));
    return none;
  }

 private:
  std::array<std::uint64_t, most / 64> m_bits{};
  std::uint32_t m_words = 0;
};

}  // namespace teamsan
