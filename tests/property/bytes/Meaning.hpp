// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What masks, maps and values mean, for the kernels and the oracle alike.
#pragma once

#include "Case.hpp"

namespace property::bytes {

inline bool takes_part(Mask const& m, std::uint32_t x) { return x >= m.from && x < m.until && x % m.modulus == m.remainder; }

inline std::int64_t offset_of(Map const& m, std::uint32_t x, std::uint32_t league) {
  std::uint32_t const r = (m.a * x + m.b) % m.modulus;
  return std::int64_t{m.start} + std::int64_t{m.league_step} * league + std::int64_t{m.stride} * r;
}

inline std::uint64_t value_of(Operation const& o, int slot, std::uint32_t x, std::uint32_t league) {
  std::uint64_t v = o.own_values ? std::uint64_t{x} << 8 | std::uint64_t{league} << 40 : 0;
  v = (v + static_cast<std::uint64_t>(slot) + 1) * 0x9e3779b97f4a7c15u;
  return (v ^ v >> 29) | 1;
}

}  // namespace property::bytes
