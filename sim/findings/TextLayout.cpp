// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TextLayout.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>

namespace teamsan {
namespace {

constexpr std::size_t widest = 96, narrowest = 60;
std::size_t g_width = widest;

std::string const line_start(text_indent, ' ');

bool is_plain_word(std::string const& word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](unsigned char c) {
    return std::isalnum(c) ||
           (c != 0 && std::string_view("_-./=:,+@%").find(static_cast<char>(c)) != std::string_view::npos);
  });
}

std::string shell_word(std::string const& word) {
  if (is_plain_word(word)) return word;
  std::string quoted = "'";
  for (char const c : word) {
    if (c == '\'')
      quoted += "'\\''";
    else
      quoted += c;
  }
  return quoted + "'";
}

/// Joins pieces with `gap`; where a line would pass the width, `line_end`, a line break and the indentation
/// instead.
std::string joined(std::vector<std::string> const& pieces, std::string_view gap, std::string_view line_end) {
  std::string text;
  std::size_t column = text_indent;
  for (auto const& piece : pieces) {
    if (!text.empty() && column + gap.size() + piece.size() + line_end.size() > g_width) {
      text.append(line_end).append("\n").append(line_start);
      column = text_indent;
    } else if (!text.empty()) {
      text += gap;
      column += gap.size();
    }
    text += piece;
    column += piece.size();
  }
  return text;
}

}  // namespace

std::size_t terminal_columns(int fd) {
  winsize size{};
  std::size_t columns = ioctl(fd, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
  if (char const* const text = std::getenv("COLUMNS"); text != nullptr && fd >= 0) {
    std::size_t chosen = 0;
    std::string_view const digits = text;
    auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), chosen);
    if (error == std::errc() && end == digits.data() + digits.size() && chosen != 0) columns = chosen;
  }
  return columns;
}

TerminalWidth::TerminalWidth(int fd) {
  if (std::size_t const columns = terminal_columns(fd); columns != 0) g_width = std::clamp(columns, narrowest, widest);
}
TerminalWidth::~TerminalWidth() { g_width = widest; }

std::string header_line(std::string_view left, std::string_view right) {
  std::string const begin = fmt::format("==== teamsan: {} ", left), end = fmt::format(" {}", right);
  std::size_t const used = begin.size() + end.size();
  if (used + 4 < g_width) return begin + std::string(g_width - used, '=') + end;
  if (g_width == widest) return begin + "====" + end;
  return wrapped(fmt::format("==== teamsan: {}", left)) + "\n" + line_start +
         std::string(g_width - text_indent - end.size(), '=') + end;
}

std::string entry(std::string_view name, std::string_view text) {
  return fmt::format(" {:<{}}{}\n", name, text_indent - 1, text);
}

std::string continuation(std::string_view text) { return fmt::format("{}{}\n", line_start, text); }

QuotedPart part_to_quote(std::string_view source, unsigned column, std::size_t most) {
  constexpr std::string_view dots = "...";
  constexpr std::size_t none = std::string::npos;
  std::size_t const indent = std::min(source.find_first_not_of(" \t"), source.size());
  source.remove_prefix(indent);
  while (!source.empty() && (source.back() == ' ' || source.back() == '\t')) source.remove_suffix(1);
  std::size_t const at = column > indent && column - indent - 1 < source.size() ? column - indent - 1 : none;
  if (source.size() <= most) return {std::string(source), at};
  // What comes before is shown where there is room, and a third of the room is for what follows.
  std::size_t const behind = std::max(most / 3, dots.size() + 1);
  std::size_t const cut = at == none || at + behind <= most ? 0 : std::min(at + behind - most, source.size() - most);
  std::string text(source.substr(cut, most));
  if (cut != 0) text.replace(0, dots.size(), dots);
  if (cut + most < source.size()) text.replace(most - dots.size(), dots.size(), dots);
  return {std::move(text), at == none ? none : at - cut};
}

std::string quoted_line(unsigned number, std::string_view source, unsigned column) {
  QuotedPart const part = part_to_quote(source, column, g_width < widest ? g_width - 19 : 80);
  std::string text = fmt::format("{:>12} |     {}\n", number, part.text);
  if (part.caret != std::string::npos) text += fmt::format("{:>12} |     {:>{}}\n", "", '^', part.caret + 1);
  return text;
}

std::string joined_parts(std::vector<std::string> const& parts, std::string_view gap) {
  return joined(parts, gap, "");
}

std::string wrapped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t const end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::vector<std::string> words;
    while (!line.empty()) {
      std::size_t const space = std::min(line.find(' '), line.size());
      words.emplace_back(line.substr(0, space));
      line.remove_prefix(std::min(space + 1, line.size()));
    }
    if (!result.empty()) result += "\n" + line_start;
    result += joined(words, " ", "");
  }
  return result;
}

std::string unwrapped(std::string_view text) {
  std::string const line_end = "\n" + line_start;
  std::string result;
  for (std::size_t at; (at = text.find(line_end)) != text.npos; text.remove_prefix(at + line_end.size())) {
    std::string_view line = text.substr(0, at);
    if (line.ends_with(" \\")) line.remove_suffix(2);
    result.append(line).append(" ");
  }
  return result.append(text);
}

std::string shell_command(std::vector<std::string> const& words, std::string const& directory) {
  std::vector<std::string> pieces;
  if (!directory.empty()) pieces.push_back(fmt::format("cd {} &&", shell_word(directory)));
  for (auto const& word : words) {
    // A flag and its value stay on one line.
    bool const is_value = !pieces.empty() && pieces.back().starts_with("--") && pieces.back() != "--" &&
                          pieces.back().find(' ') == std::string::npos && !word.starts_with("-");
    if (is_value)
      pieces.back() += " " + shell_word(word);
    else
      pieces.push_back(shell_word(word));
  }
  return joined(pieces, " ", " \\");
}

std::string with_commas(std::uint64_t number) {
  std::string digits = std::to_string(number);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, ",");
  return digits;
}

std::string counted(std::uint64_t number, std::string_view thing) {
  bool const hisses = thing.ends_with("s") || thing.ends_with("ch");
  return fmt::format("{} {}{}", with_commas(number), thing, number == 1 ? "" : hisses ? "es" : "s");
}

std::string clipped(std::string const& text, std::size_t most) {
  return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string painted(std::string text, Severity severity, bool color) {
  if (!color) return text;
  char const* code = severity == Severity::error ? "1;31" : severity == Severity::warning ? "1;33" : "1;36";
  return fmt::format("\033[{}m{}\033[0m", code, text);
}

}  // namespace teamsan
