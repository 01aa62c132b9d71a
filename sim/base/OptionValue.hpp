// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An option's value as text: read, held against what Options.def says of it, and written. For Options.cpp, and the list.
#pragma once

#include "OptionNames.hpp"
#include "Options.hpp"

#include <fmt/format.h>

#include <bit>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace teamsan {

template <class T>
constexpr bool is_switch = std::same_as<T, bool> || std::same_as<T, std::optional<bool>>;

/// Upper end of a range of numbers that has none.
inline constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

/// Values stand between these.
bool separates(char c);

[[noreturn]] void refuse(std::string_view key, std::string_view text, std::string_view wanted);

void read_value(std::string& value, std::string_view key, std::string_view text);
void read_value(bool& value, std::string_view key, std::string_view text);
void read_value(std::optional<bool>& value, std::string_view key, std::string_view text);
void read_value(std::optional<unsigned>& value, std::string_view key, std::string_view text);
/// Of a number's suffix, "K" or "MiB"; 0: it is none.
std::uint64_t unit_of(std::string_view suffix);

template <std::integral T>
void read_value(T& value, std::string_view key, std::string_view text) {
  constexpr char const* wanted =
      sizeof(T) == 8 ? "a whole number, with K, M or G for larger units" : "a whole number";
  T number{};
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) refuse(key, text, wanted);
  std::uint64_t const unit = unit_of(text.substr(static_cast<std::size_t>(end - text.data())));
  if (unit == 0 || (unit != 1 && sizeof(T) < 8)) refuse(key, text, wanted);
  if (number > 0 &&
      static_cast<std::uint64_t>(number) > static_cast<std::uint64_t>(std::numeric_limits<T>::max()) / unit)
    refuse(key, text, "a smaller number");
  value = static_cast<T>(number * static_cast<T>(unit));
}

/// What the option's range says of a value.
void check_range(OptionInfo const& info, std::string const& value);
template <class T>
  requires(std::integral<T> && !is_switch<T>)
void check_range(OptionInfo const& info, T given) {
  OptionRange const& range = info.range;
  using Kind = OptionRange::Kind;
  if (range.kind != Kind::between && range.kind != Kind::power_of_two) return;
  bool const fits = std::cmp_greater_equal(given, range.least) && std::cmp_less_equal(given, range.most) &&
                    (range.kind == Kind::between || std::has_single_bit(static_cast<std::uint64_t>(given)));
  if (fits) return;
  std::string_view const what = range.kind == Kind::between ? "a number" : "a power of two";
  std::string const end = range.most == no_end ? " on" : fmt::format(" to {}", range.most);
  refuse(info.name, std::to_string(given), fmt::format("{} from {}{}", what, range.least, end));
}
inline void check_range(OptionInfo const&, bool) {}
template <class T>
void check_range(OptionInfo const&, std::optional<T> const&) {}

std::string written_value(std::optional<bool> value);
std::string written_value(std::optional<unsigned> value);
std::string written_value(std::string const& value);
template <class T>
std::string written_value(T value) {
  return fmt::format("{:d}", value);
}

}  // namespace teamsan
