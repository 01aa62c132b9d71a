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

/// "--output, -o FILE"; of a positional one, nothing.
std::string words_of(CLI::Option const& option) {
  std::vector<std::string> names;
  for (std::string const& name : option.get_lnames()) names.push_back("--" + name);
  for (std::string const& name : option.get_snames()) names.push_back("-" + name);
  std::string text = fmt::format("{}", fmt::join(names, ", "));
  if (option.get_expected_min() != 0 && !text.empty()) text += ' ' + option.get_type_name();
  return text;
}

std::string option_lines(CLI::App const& command) {
  std::vector<std::pair<std::string, std::string>> rows;
  for (CLI::Option const* option : command.get_options()) {
    std::string const words = words_of(*option), about = option->get_description();
    if (words.empty() || about.empty() || option->check_lname("help")) continue;
    rows.emplace_back(words, about.substr(0, about.find(';')));
  }
  std::size_t width = 0;
  for (auto const& [words, about] : rows) width = std::max(width, words.size());
  std::string text;
  for (auto const& [words, about] : rows)
    text += fmt::format("  {:<{}}  {}\n", words, width, hanging(about, width + 4, width + 4));
  return text;
}

}  // namespace

void set_help(CLI::App& command, HelpText text) {
  command.formatter_fn([text = std::move(text)](CLI::App const* asked, std::string, CLI::AppFormatMode) {
    std::string const options = option_lines(*asked);
    return fmt::format("{}\nUsage: teamsan {}\n{}{}{}{}", paragraphs(text.about), text.usage, options.empty() ? "" : "\n",
                       options, text.after.empty() ? "" : "\n", paragraphs(text.after));
  });
}

}  // namespace teamsan::cli
