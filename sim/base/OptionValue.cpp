// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OptionValue.hpp"

#include "NearestName.hpp"

#include <algorithm>

namespace teamsan {

bool separates(char c) { return c == ':' || c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void refuse(std::string_view key, std::string_view text, std::string_view wanted) {
  throw OptionError(fmt::format("{} is not understood; {} takes {}", option_with_value(key, text), option_name(key), wanted));
}

void read_value(std::string& value, std::string_view, std::string_view text) { value = text; }

void read_value(bool& value, std::string_view key, std::string_view text) {
  for (std::string_view const word : {"1", "true", "yes", "on", ""})
    if (text == word) return void(value = true);
  for (std::string_view const word : {"0", "false", "no", "off"})
    if (text == word) return void(value = false);
  refuse(key, text, "0 or 1 (also false, true, no, yes)");
}

void read_value(std::optional<bool>& value, std::string_view key, std::string_view text) {
  if (text == "auto") return void(value = std::nullopt);  // as compilers and other sanitizers take it
  if (text == "always" || text == "never") return void(value = text == "always");
  bool chosen = false;
  read_value(chosen, key, text);
  value = chosen;
}

void read_value(std::optional<unsigned>& value, std::string_view key, std::string_view text) {
  unsigned chosen = 0;
  read_value(chosen, key, text);
  value = chosen;
}

std::uint64_t unit_of(std::string_view suffix) {
  if (suffix.ends_with("iB")) suffix.remove_suffix(2);
  if (suffix.ends_with("B") && suffix.size() == 2) suffix.remove_suffix(1);
  if (suffix.empty()) return 1;
  if (suffix == "K" || suffix == "k") return 1ull << 10;
  if (suffix == "M" || suffix == "m") return 1ull << 20;
  if (suffix == "G" || suffix == "g") return 1ull << 30;
  return 0;
}

void check_range(OptionInfo const& info, std::string const& value) {
  OptionRange const& range = info.range;
  if (range.kind != OptionRange::Kind::one_of) return;
  if (std::ranges::find(range.known_words(), value) != range.known_words().end()) return;
  throw OptionError(fmt::format("unknown {} \"{}\"{}", option_name(info.name), value, hint_at(value, range.known_words())));
}

std::string written_value(std::optional<bool> value) { return value.value_or(false) ? "1" : "0"; }
std::string written_value(std::optional<unsigned> value) { return std::to_string(value.value_or(0)); }
std::string written_value(std::string const& value) { return quoted_option_value(value); }

std::string quoted_option_value(std::string_view value) {
  std::string quoted = "\"";
  bool plain = !value.empty();
  for (char const c : value) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
    plain = plain && !separates(c) && c != '"' && c != '\'' && c != '\\';
  }
  return plain ? std::string(value) : quoted + '"';
}

}  // namespace teamsan
