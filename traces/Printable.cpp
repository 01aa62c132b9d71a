// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace teamsan::traces {

namespace {

struct CodePoint {
  std::uint32_t value = 0;
  std::size_t bytes = 0;  ///< 0: no UTF-8
};

/// The Unicode Standard, table 3-7: no overlong forms, no surrogates, nothing above U+10FFFF.
CodePoint first_of(std::string_view text) {
  auto const byte = [&](std::size_t i) { return i < text.size() ? static_cast<std::uint8_t>(text[i]) : 0u; };
  std::uint32_t const lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  std::size_t const bytes = lead >= 0xc2 && lead < 0xe0 ? 2 : (lead & 0xf0) == 0xe0 ? 3 : lead >= 0xf0 && lead < 0xf5 ? 4 : 0;
  if (bytes == 0) return {};
  std::uint32_t value = lead & (0x7fu >> bytes);
  for (std::size_t i = 1; i != bytes; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3f);
  }
  bool const overlong = (bytes == 3 && value < 0x800) || (bytes == 4 && value < 0x10000);
  if (overlong || value > 0x10ffff || (value >= 0xd800 && value < 0xe000)) return {};
  return {value, bytes};
}

bool acts(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) ||                              // control characters
         c == 0x2028 || c == 0x2029 ||                                       // ends of lines
         c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) ||
         c == 0xfeff || (c >= 0xfdd0 && c < 0xfdf0) || (c & 0xfffe) == 0xfffe;  // no characters, and the byte order mark
}

std::string escaped(std::uint32_t c) {
  switch (c) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return c < 0x80 ? fmt::format("\\x{:02x}", c) : fmt::format("\\u{:04x}", c);
  }
}

bool begins_command(std::string_view text) { return text.starts_with("::") || text.starts_with("##"); }

}  // namespace

std::string printable(std::string_view text, LineEnds line_ends) {
  std::string result;
  bool word_begins = true;
  while (!text.empty()) {
    CodePoint const c = first_of(text);
    std::size_t const bytes = std::max<std::size_t>(c.bytes, 1);
    bool const line_end = c.value == '\n' && line_ends == LineEnds::kept;
    if (c.bytes == 0)
      result += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(text.front()));
    else if ((acts(c.value) && !line_end) || (word_begins && begins_command(text)))
      result += escaped(c.value);
    else
      result.append(text.substr(0, bytes));
    word_begins = c.value == ' ' || line_end;
    text.remove_prefix(bytes);
  }
  return result;
}

}  // namespace teamsan::traces
