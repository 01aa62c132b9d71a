// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "KernelNames.hpp"

#include "OptionNames.hpp"
#include "Options.hpp"

#include <fmt/format.h>
#include <fnmatch.h>
#include <regex.h>

#include <algorithm>

namespace teamsan {
namespace {

struct FreeRegex {
  void operator()(regex_t* regex) const {
    ::regfree(regex);
    delete regex;
  }
};

/// For fnmatch: this text and no other.
std::string literally(std::string_view text) {
  std::string pattern;
  for (char const c : text) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern;
}

}  // namespace

struct KernelNames::Pattern {
  std::string glob;                            ///< for fnmatch
  std::unique_ptr<regex_t, FreeRegex> regex = {};  ///< in its place

  bool matches(std::string const& label) const {
    return regex ? ::regexec(regex.get(), label.c_str(), 0, nullptr, 0) == 0 : ::fnmatch(glob.c_str(), label.c_str(), 0) == 0;
  }
};

KernelNames::~KernelNames() = default;

void KernelNames::add(std::vector<Pattern>& to, std::string_view option, std::string_view text) {
  auto const is_after = [&](std::string_view word) {
    bool const there = text.starts_with(word);
    if (there) text.remove_prefix(word.size());
    return there;
  };
  bool const is_regex = option == "kernel_regex" || is_after("regex:");
  if (is_regex) {
    if (text.starts_with("kns=") || text.starts_with("kne="))
      throw OptionError(fmt::format("{} takes a regular expression; {} is what {} takes", option_name(option), text,
                                    option_name("kernel_name")));
    auto* const regex = new regex_t;
    int const error = ::regcomp(regex, std::string(text).c_str(), REG_EXTENDED | REG_NOSUB);
    if (error != 0) {
      char why[128];
      ::regerror(error, regex, why, sizeof why);
      delete regex;
      throw OptionError(fmt::format("{} is no extended regular expression: {}", option_with_value(option, text), why));
    }
    to.push_back({"", std::unique_ptr<regex_t, FreeRegex>(regex)});
  } else if (is_after("kns=") || is_after("kernel_substring=")) {
    to.push_back({'*' + literally(text) + '*'});
  } else if (is_after("kne=") || is_after("kernel_name=")) {
    to.push_back({literally(text)});
  } else {
    to.push_back({std::string(text)});
  }
}

KernelNames::KernelNames(Options const& options) {
  auto const add_all = [&](std::vector<Pattern>& to, std::string_view option, std::string_view texts) {
    while (!texts.empty()) {
      std::string_view const text = texts.substr(0, texts.find('\n'));
      texts.remove_prefix(std::min(text.size() + 1, texts.size()));
      add(to, option, text);
    }
  };
  add_all(m_in, "kernel_name", options.kernel_name);
  add_all(m_in, "kernel_regex", options.kernel_regex);
  add_all(m_regions, "region", options.region);
  add_all(m_out, "kernel_name_exclude", options.kernel_name_exclude);
}

bool KernelNames::match(std::string_view label, std::string_view region) const {
  std::string const text(label);
  auto const matches = [&](Pattern const& pattern) { return pattern.matches(text); };
  if (!m_regions.empty()) {
    constexpr std::string_view inside = " > ";
    bool named = false;
    while (!named && !region.empty()) {
      std::string const one(region.substr(0, region.find(inside)));
      region.remove_prefix(std::min(one.size() + inside.size(), region.size()));
      named = std::ranges::any_of(m_regions, [&](Pattern const& pattern) { return pattern.matches(one); });
    }
    if (!named) return false;
  }
  return (m_in.empty() || std::ranges::any_of(m_in, matches)) && std::ranges::none_of(m_out, matches);
}

}  // namespace teamsan
