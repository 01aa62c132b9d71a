// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a team that is committed did to a word of device memory, or to a byte of one, as far as that counts between teams.
#pragma once

#include "../../traces/Site.hpp"
#include "SiteTable.hpp"
#include "../memory/Cell.hpp"
#include "../memory/TeamShadow.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace teamsan::detect {

/// The accesses of a word, byte by byte.
struct ByteMarks {
  std::array<Mark, 4> write{}, read{};
};

/// What the committing team did to a word or to a byte of one.
struct WordAccesses {
  std::uint32_t written, read;  ///< byte masks
  Mark write, read_mark;
  bool write_atomic, read_atomic;
  ByteMarks const* bytes = nullptr;  ///< where several instructions did it

  Mark const& write_of(unsigned byte) const { return bytes != nullptr ? bytes->write[byte] : write; }
  Mark const& read_of(unsigned byte) const { return bytes != nullptr ? bytes->read[byte] : read_mark; }
};

/// Its number: of the mark, or of the marks of several bytes.
inline std::uint32_t site_of(KnownSites& sites, Mark const& mark, std::array<Mark, 4> const* bytes) {
  if (bytes == nullptr) return sites.id(mark.site);
  SiteTable::Bytes of_bytes{};
  for (unsigned b = 0; b != 4; ++b) of_bytes[b] = (*bytes)[b].site;
  bool const alike = std::ranges::all_of(of_bytes, [&](Site of_byte) { return of_byte == Site{} || of_byte == mark.site; });
  return alike ? sites.id(mark.site) : sites.id(of_bytes);
}

/// What counts between teams: a plain access, though an atomic one has come after it.
inline Mark strongest(TeamShadow const& shadow, Line const& line, unsigned byte, bool writes, Mark const& mark) {
  if (!(mark.who & who::atomic)) return mark;
  Mark const* const plain = shadow.kept_plain(line, byte, writes);
  return plain != nullptr ? *plain : mark;
}

/// `mask`: the bytes that the cell is about.
inline WordAccesses accesses_of(TeamShadow const& shadow, Line const& line, unsigned byte, Cell const& cell,
                                std::uint32_t mask) {
  WordAccesses d;
  d.written = who::touched(cell.write.who) ? mask : 0;
  d.read = who::touched(cell.read.who) ? mask : 0;
  d.write = strongest(shadow, line, byte, true, cell.write);
  d.read_mark = strongest(shadow, line, byte, false, cell.read);
  d.read_mark.who &= ~who::mixed;  // a plain read stands for both
  d.write_atomic = d.write.who & who::atomic;
  d.read_atomic = d.read_mark.who & who::atomic;
  return d;
}

}  // namespace teamsan::detect
