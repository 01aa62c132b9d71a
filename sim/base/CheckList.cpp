// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CheckList.hpp"

#include "NearestName.hpp"
#include "Options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace teamsan {
namespace {

constexpr std::uint64_t bit(Rule rule) { return 1ull << static_cast<unsigned>(rule); }

/// compute-sanitizer's tools, by the groups that find the same.
struct Alias {
  std::string_view name;
  std::string_view groups[2];
};
constexpr Alias aliases[] = {{"racecheck", {"race", ""}},
                             {"memcheck", {"bounds", "space"}},
                             {"initcheck", {"uninit", ""}},
                             {"synccheck", {"sync", ""}}};

/// What the machine model says of speed: `perf`.
constexpr std::string_view model_groups[] = {"bank", "coalesce", "occupancy", "divergence", "contention"};

std::uint64_t group_bits(std::string_view group) {
  std::uint64_t bits = 0;
  for (RuleInfo const& rule : rules())
    if (group == rule.group) bits |= bit(rule.rule);
  return bits;
}

/// What `all` means: all that tells right from wrong. What the machine model says of speed is asked for by name, and so is what
/// is left at the end, which many programs mean to leave to the system.
std::uint64_t all_bits() {
  std::uint64_t bits = 0;
  for (RuleInfo const& rule : rules()) bits |= bit(rule.rule);
  return bits & ~model_rules() & ~bit(Rule::leak);
}

std::vector<std::string_view> known_names() {
  std::vector<std::string_view> names{"all", "none", "perf"};
  auto const add = [&](std::string_view name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  for (RuleInfo const& rule : rules()) add(rule.group);
  for (RuleInfo const& rule : rules()) add(rule.id);
  for (Alias const& alias : aliases) add(alias.name);
  return names;
}

std::uint64_t bits_of(std::string_view name) {
  if (name == "all") return all_bits();
  if (name == "perf") return model_rules();
  if (std::uint64_t const bits = group_bits(name); bits != 0) return bits;
  for (RuleInfo const& rule : rules())
    if (name == rule.id) return bit(rule.rule);
  for (Alias const& alias : aliases)
    if (name == alias.name) return group_bits(alias.groups[0]) | group_bits(alias.groups[1]);
  throw OptionError(fmt::format("unknown check \"{}\"{}", name, hint_at(name, known_names())));
}

}  // namespace

std::uint64_t model_rules() {
  std::uint64_t bits = 0;
  for (std::string_view const group : model_groups) bits |= group_bits(group);
  return bits;
}

Rule parse_rule(std::string_view id) {
  std::vector<std::string_view> ids;
  for (RuleInfo const& rule : rules()) {
    if (id == rule.id) return rule.rule;
    ids.push_back(rule.id);
  }
  throw OptionError(fmt::format("unknown rule \"{}\"{}", id, hint_at(id, ids)));
}

std::uint64_t rules_by_name(std::string_view list) {
  std::uint64_t bits = 0;
  while (!list.empty()) {
    std::size_t const end = std::min(list.find(','), list.size());
    for (RuleInfo const& rule : rules())
      if (list.substr(0, end) == rule.id) bits |= bit(rule.rule);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return bits;
}

bool is_rule_or_group(std::string_view name) {
  return std::ranges::any_of(rules(), [&](RuleInfo const& rule) { return name == rule.id || name == rule.group; });
}

std::uint64_t parse_check_list(std::string_view list) {
  std::uint64_t bits = 0;
  bool first = true, none = false, crash_named = false;
  while (!list.empty()) {
    std::size_t const end = std::min(list.find(','), list.size());
    std::string_view item = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (item.empty()) continue;
    bool const out = item.front() == '-';
    if (out) item.remove_prefix(1);
    if (first && out) bits = all_bits();
    first = false;
    if (item == "none" && !out) {
      bits = 0;
      none = true;
      continue;
    }
    std::uint64_t const named = bits_of(item);
    crash_named = crash_named || (named & bit(Rule::crash)) != 0;
    bits = out ? bits & ~named : bits | named;
  }
  if (first) throw OptionError("check names no check; write all, none, or a list such as race,uninit");
  if (!none && !crash_named) bits |= bit(Rule::crash);
  return bits;
}

}  // namespace teamsan
