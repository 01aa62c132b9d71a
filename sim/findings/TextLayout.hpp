// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How text reports are laid out: columns, wrapping, numbers, colour. Knows nothing of findings.
#pragma once

#include "Finding.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace teamsan {

constexpr std::size_t text_indent = 9;  ///< where the text of an entry starts

/// How many columns the terminal that `fd` is has; COLUMNS in the environment says how many, terminal or not. 0: unknown.
std::size_t terminal_columns(int fd);

/// While it lives, texts are laid out for the terminal that `fd` is, if it is one and has fewer than the 96 columns that a
/// header line has, and prose, otherwise (at least 60).
class TerminalWidth {
 public:
  explicit TerminalWidth(int fd);
  ~TerminalWidth();
  TerminalWidth(TerminalWidth const&) = delete;
  TerminalWidth& operator=(TerminalWidth const&) = delete;
};

/// "==== teamsan: left ======== right", without a line end; what does not fit into a terminal gets a second line.
std::string header_line(std::string_view left, std::string_view right);

/// " Kernel  text": the entry's name in its column, the text after it, a line end.
std::string entry(std::string_view name, std::string_view text);

/// The text in the column of entries' text, with a line end.
std::string continuation(std::string_view text);

/// The part of a line that is quoted, without its indentation: all of it, or as many columns around what is pointed at.
struct QuotedPart {
  std::string text;
  std::size_t caret = std::string::npos;  ///< under which column of it the caret stands, from 0; npos: none
};
QuotedPart part_to_quote(std::string_view source, unsigned column, std::size_t most);

/// "          55 |     tile(i) = 1;" with a line end; the source's own indentation is made four columns. With a caret below, if
/// `column` (from 1; 0: unknown) is one of the line's.
std::string quoted_line(unsigned number, std::string_view source, unsigned column = 0);

/// The parts with `gap` between them, broken between parts where a line would get too long.
std::string joined_parts(std::vector<std::string> const& parts, std::string_view gap);

/// Prose broken between words; its own line breaks stay. Further lines are indented as entries' text.
std::string wrapped(std::string_view text);

/// The text without the line breaks, indentations and backslashes that joined_parts, wrapped and
/// shell_command put in.
std::string unwrapped(std::string_view text);

/// The words of a shell command, quoted where needed, broken with backslashes where a line would get too
/// long. `directory`: where to go before; empty: nowhere.
std::string shell_command(std::vector<std::string> const& words, std::string const& directory = {});

/// "1,984".
std::string with_commas(std::uint64_t number);

/// "1 team", "1,984 teams", "2 accesses".
std::string counted(std::uint64_t number, std::string_view thing);

/// A functor's type name, standing in for a kernel's label, may fill a page.
constexpr std::size_t widest_label = 120;

/// No more than so many bytes of it, the last of them "...".
std::string clipped(std::string const& text, std::size_t most = widest_label);

/// The text in the colour of the severity; as it is when `color` is false.
std::string painted(std::string text, Severity severity, bool color);

}  // namespace teamsan
