// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The list of options, Options.def, and what is said of them.
#include "Options.hpp"

#include "CheckList.hpp"
#include "OptionValue.hpp"
#include "UsmAspects.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <initializer_list>

namespace teamsan {
namespace {

/// What the columns of Options.def say.
namespace columns {
using enum Reproduces;
using enum NamesFile;
using Kind = OptionRange::Kind;
constexpr OptionRange any{};
constexpr OptionRange many{Kind::many};
constexpr OptionRange between(std::int64_t least, std::int64_t most) { return {Kind::between, least, most}; }
constexpr OptionRange from(std::int64_t least) { return {Kind::between, least, no_end}; }
constexpr OptionRange power_of_two_from(std::int64_t least) { return {Kind::power_of_two, least, no_end}; }
constexpr OptionRange of_words(Kind kind, std::initializer_list<std::string_view> words) {
  OptionRange range{kind};
  std::ranges::copy(words, range.words.begin());
  return range;
}
constexpr OptionRange one_of(std::initializer_list<std::string_view> words) { return of_words(Kind::one_of, words); }
constexpr OptionRange some_of(std::initializer_list<std::string_view> words) { return of_words(Kind::some_of, words); }

/// The lines as they stand there: a group has no name.
constexpr OptionInfo all_lines[] = {
#define TEAMSAN_OPTION_GROUP(title) {"", "", "", "", false, any, no, none, title},
#define TEAMSAN_OPTION(type, name, value, syntax, range, reproduces, file, help) \
  {#name, #value, syntax, help, is_switch<type>, range, reproduces, file, ""},
#include "Options.def"
#undef TEAMSAN_OPTION
};
}  // namespace columns
using columns::all_lines;

constexpr std::size_t option_count =
    std::ranges::count_if(all_lines, [](OptionInfo const& line) { return !line.name.empty(); });

constexpr auto all_options = [] {
  std::array<OptionInfo, option_count> options{};
  std::size_t next = 0;
  std::string_view group;
  for (OptionInfo const& line : all_lines) {
    if (line.name.empty()) {
      group = line.group;
      continue;
    }
    options[next] = line;
    options[next++].group = group;
  }
  return options;
}();

}  // namespace

std::span<OptionInfo const> option_list() { return all_options; }

std::span<std::string_view const> OptionRange::known_words() const noexcept {
  return {words.begin(), std::ranges::find(words, std::string_view())};
}

std::string OptionRange::text() const {
  std::string_view const what = kind == Kind::power_of_two ? "a power of two " : "";
  if (kind != Kind::between && kind != Kind::power_of_two) return {};
  return most == no_end ? fmt::format("{}from {} on", what, least) : fmt::format("{}from {} to {}", what, least, most);
}

std::string OptionInfo::flag() const {
  std::string flag = fmt::format("--{}", name);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::string flag_text(OptionInfo const& option) {
  std::string const flag = option.flag();
  if (option.is_bool) return flag + (option.default_value == "true" ? "=0" : "");
  return fmt::format("{} {}", flag, option.syntax);
}

std::string options_help() {
  std::string text =
      "Keys of TEAMSAN_OPTIONS, written as key=value:key=value (quote a value that holds ':').\n"
      "Each is a flag of `teamsan run` too, with dashes for underscores.\n\n";
  std::string_view group;
  for (OptionInfo const& info : all_options) {
    if (info.group != group) text += fmt::format("{}{}:\n", group.empty() ? "" : "\n", info.group);
    group = info.group;
    std::string const syntax = info.is_bool ? "0|1" : std::string(info.syntax);
    text +=
        fmt::format("  {}={}  (default {}{}{})\n      {}\n", info.name, syntax,
                    info.default_value == "{}" ? "automatic" : info.default_value, info.range.text().empty() ? "" : "; ",
                    info.range.text(), info.help);
  }
  return text;
}

OptionInfo const* option_of_flag(std::string_view flag) {
  auto const found = std::ranges::find_if(all_options, [&](OptionInfo const& o) { return o.flag() == flag; });
  return found == all_options.end() ? nullptr : &*found;
}

}  // namespace teamsan
