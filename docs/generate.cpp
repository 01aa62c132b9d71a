// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Prints docs/options.md or docs/rules.md, from the lists and texts that the program itself goes by.
///   generate options|rules
#include "../sim/base/Explanations.hpp"
#include "../sim/base/Options.hpp"

#include <fmt/format.h>

#include <cctype>
#include <cstdio>
#include <string>

using namespace teamsan;

namespace {

/// For a cell of a Markdown table.
std::string cell(std::string_view text) {
  std::string result;
  for (char const c : text) {
    if (c == '|' || c == '*' || c == '<') result += '\\';
    result += c;
  }
  return result;
}

std::string shown_default(OptionInfo const& option) {
  std::string_view value = option.default_value;
  if (value == "{}") return "automatic";
  if (option.is_bool) return value == "true" ? "on" : "off";
  if (value.starts_with('"')) value = value.substr(1, value.size() - 2);
  return value.empty() ? "" : fmt::format("`{}`", value);
}

std::string options_page() {
  std::string text =
      "# Options\n\n"
      "Made from `sim/base/Options.def` by `cmake --build build --target teamsan-docs`; `TEAMSAN_OPTIONS=help=1 app` "
      "prints the same.\n\n"
      "Each option is a flag of `teamsan run` and a key of the environment variable `TEAMSAN_OPTIONS`, there with "
      "underscores:\n\n"
      "    teamsan run --device a100 --lane-order shuffle --strict -- app input.yaml\n"
      "    TEAMSAN_OPTIONS=device=a100:lane_order=shuffle:strict app input.yaml\n\n"
      "A flag wins over the variable, a later key over an earlier one; `report` keys add up. A value that holds `:` or a "
      "blank stands in quotes. A switch takes `=0` and `=1`.\n";
  std::string_view group;
  for (OptionInfo const& option : option_list()) {
    if (option.group != group) text += fmt::format("\n## {}\n\n| flag | default | meaning |\n|---|---|---|\n", option.group);
    group = option.group;
    std::string shown = shown_default(option);
    if (std::string const range = option.range.text(); !range.empty()) shown += (shown.empty() ? "" : "; ") + range;
    text += fmt::format("| `{}` | {} | {} |\n", flag_text(option), shown, cell(option.help));
  }
  return text;
}

std::string rules_page() {
  std::string text =
      "# Rules\n\n"
      "Made from `sim/base/Rules.def` and `sim/detect/explanations/` by `cmake --build build --target teamsan-docs`; "
      "`teamsan explain RULE` prints the text of one.\n\n"
      "`--check` takes rules and groups. An error sets the exit status; `--strict` makes errors of warnings, `--fail-on RULE` "
      "of one rule's findings. `bank` and `coalesce` are not part of `--check all`.\n\n"
      "| rule | group | severity | finds |\n|---|---|---|---|\n";
  for (RuleInfo const& line : rules())
    text += fmt::format("| [{0}](#{0}) | {1} | {2} | {3} |\n", line.id, line.group, severity_name(line.severity),
                        cell(line.text));
  for (RuleInfo const& line : rules()) {
    std::string_view explained = explanation(line.rule);
    std::size_t const end = explained.find('\n');
    std::string_view const title = explained.substr(explained.find(": ") + 2, end - explained.find(": ") - 2);
    text += fmt::format("\n## {}\n\n**{}{}.**\n", rule_id(line.rule), static_cast<char>(std::toupper(title.front())),
                        title.substr(1));
    text += explained.substr(end + 1);
  }
  return text;
}

}  // namespace

int main(int count, char** words) {
  std::string_view const page = count == 2 ? words[1] : "";
  if (page != "options" && page != "rules") {
    std::fputs("usage: generate options|rules\n", stderr);
    return 2;
  }
  std::string const text = page == "options" ? options_page() : rules_page();
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? 0 : 1;
}
