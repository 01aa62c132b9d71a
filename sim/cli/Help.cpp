// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Help.hpp"

#include "Commands.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

namespace teamsan::cli {
namespace {

std::string paragraphs(std::string const& text) {
  std::istringstream lines(text);
  std::string result;
  for (std::string line; std::getline(lines, line);)
    result += (line.starts_with(' ') ? line : hanging(line, 0, 0)) + '\n';
  return result;
}

/// "--output, -o FILE", "--flat=0"; of a positional one, nothing.
std::string words_of(CLI::Option const& option) {
  std::string text;
  if (!option.get_lnames().empty()) text = "--" + option.get_lnames().front();
  for (std::string const& name : option.get_snames()) text += fmt::format("{}-{}", text.empty() ? "" : ", ", name);
  std::string const value = option.get_type_name();
  if (text.empty() || (option.get_expected_min() == 0 && !value.starts_with('='))) return text;
  return text + (value.starts_with('=') ? "" : " ") + value;
}

using Row = std::pair<std::string, std::string>;  ///< an option's words, and what they are for

/// An option without a description, and --help, are not shown.
std::vector<Row> rows_of(std::vector<CLI::Option const*> const& options) {
  std::vector<Row> rows;
  for (CLI::Option const* option : options) {
    std::string const words = words_of(*option), about = option->get_description();
    if (words.empty() || about.empty() || option->check_lname("help")) continue;
    rows.emplace_back(words, about.substr(0, about.find(';')));
  }
  return rows;
}

std::string lines_of(std::vector<Row> const& rows, std::size_t width) {
  std::string text;
  for (auto const& [words, about] : rows)
    text += fmt::format("  {:<{}}  {}\n", words, width, hanging(about, std::max(width, words.size()) + 4, width + 4));
  return text;
}

/// As many in a line as there is room for.
std::string names_of(std::vector<Row> const& rows) {
  std::string names;
  for (auto [words, about] : rows) {
    std::ranges::replace(words, ' ', '\t');  // not broken from its value
    names += (names.empty() ? "" : " ") + words;
  }
  std::string text = "  " + hanging(names, 2, 2) + '\n';
  std::ranges::replace(text, '\t', ' ');
  return text;
}

std::string option_lines(CLI::App const& command, std::vector<std::string> const& in_short) {
  if (in_short.empty()) {
    std::vector<Row> const rows = rows_of(command.get_options());
    std::size_t width = 0;
    for (auto const& [words, about] : rows) width = std::max(width, words.size());
    return lines_of(rows, width);
  }
  std::string text;
  for (std::string const& group : command.get_groups()) {
    std::vector<Row> const rows =
        rows_of(command.get_options([&group](CLI::Option const* option) { return option->get_group() == group; }));
    if (rows.empty()) continue;
    bool const named = std::ranges::find(in_short, group) != in_short.end();
    text += group + ":\n" + (named ? names_of(rows) : lines_of(rows, 22));
  }
  return text;
}

}  // namespace

void set_help(CLI::App& command, HelpText text) {
  command.formatter_fn([text = std::move(text)](CLI::App const* asked, std::string, CLI::AppFormatMode) {
    std::string const options = option_lines(*asked, text.in_short);
    return fmt::format("{}\nUsage: teamsan {}\n{}{}{}{}", paragraphs(text.about), text.usage, options.empty() ? "" : "\n",
                       options, text.after.empty() ? "" : "\n", paragraphs(text.after));
  });
}

}  // namespace teamsan::cli
