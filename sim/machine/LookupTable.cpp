// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LookupTable.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

namespace teamsan {

namespace {

/// Numbers from `least` on, of which none may come twice.
class Seen {
 public:
  Seen(LookupTable const& table, std::uint64_t numbers) : m_table(table), m_words((numbers + 63) / 64) {}

  template <class Element>
  bool add(std::uintptr_t at, std::uint64_t step, std::uint64_t count) {
    for (; count != 0; --count, at += step) {
      Element number;
      std::memcpy(&number, reinterpret_cast<void const*>(at), sizeof number);
      if (number < m_table.from || number > m_table.to) continue;
      auto const n = static_cast<std::uint64_t>(number - m_table.least);
      std::uint64_t& word = m_words[n / 64];
      std::uint64_t const bit = std::uint64_t{1} << n % 64;
      if (word & bit) return false;
      word |= bit;
    }
    return true;
  }
  bool add_row(std::uintptr_t at, std::uint64_t step, std::uint64_t count) {
    switch (m_table.bytes) {
      case 1: return m_table.is_signed ? add<std::int8_t>(at, step, count) : add<std::uint8_t>(at, step, count);
      case 2: return m_table.is_signed ? add<std::int16_t>(at, step, count) : add<std::uint16_t>(at, step, count);
      case 4: return m_table.is_signed ? add<std::int32_t>(at, step, count) : add<std::uint32_t>(at, step, count);
      default: return add<std::int64_t>(at, step, count);
    }
  }

 private:
  LookupTable const& m_table;
  std::vector<std::uint64_t> m_words;
};

}  // namespace

bool LookupTable::is_distinct(Indices const& lanes) const {
  Wide all = 1;
  for (unsigned d = 0; d != lanes.rank; ++d) {
    if (step[d] == 0 && lanes.count[d] > 1) continue;  // lanes with the same element are told apart by something else
    all *= lanes.count[d];
  }
  Wide const numbers = most - least + 1;
  if (numbers < 1 || numbers > 64 * all + 65536 || all > (Wide{1} << 32)) return false;
  if (from == -any && to == any && all > numbers) return false;
  // From the first element on, the last dimension in one go.
  std::uintptr_t at = base;
  std::array<unsigned, Indices::most> axes{};
  unsigned rank = 0;
  for (unsigned d = 0; d != lanes.rank; ++d) {
    at += step[d] * static_cast<std::uint64_t>(lanes.first[d]);
    if (step[d] != 0 && lanes.count[d] > 1) axes[rank++] = d;
  }
  Seen seen(*this, static_cast<std::uint64_t>(numbers));
  if (rank == 0) return seen.add_row(at, 0, 1);
  unsigned const row = axes[rank - 1];
  std::array<std::uint64_t, Indices::most> index{};
  for (unsigned d = 0; d != rank;) {
    if (!seen.add_row(at, step[row], lanes.count[row])) return false;
    for (d = 0; d + 1 < rank; ++d) {
      unsigned const axis = axes[d];
      at += step[axis];
      if (++index[d] != lanes.count[axis]) break;
      at -= step[axis] * lanes.count[axis];
      index[d] = 0;
    }
    if (d + 1 >= rank) d = rank;
  }
  return true;
}

}  // namespace teamsan
