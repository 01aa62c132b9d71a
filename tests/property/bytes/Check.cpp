// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace property::bytes {
namespace {

using teamsan::AccessKind;
using teamsan::Rule;

std::optional<Verdict> verdict_of(Rule rule) {
  switch (rule) {
    case Rule::scratch_race:
    case Rule::global_race:
    case Rule::unfenced_handover:
      return Verdict::race;
    case Rule::same_value:
      return Verdict::same_value;
    case Rule::uninit_scratch:
    case Rule::uninit_global:
      return Verdict::uninit;
    case Rule::out_of_bounds:
      return Verdict::outside;
    case Rule::crash:
      return Verdict::thrown;
    default:
      return std::nullopt;
  }
}

bool is(AccessKind kind, Flavour flavour) {
  switch (kind) {
    case AccessKind::read:
      return flavour == Flavour::read || flavour >= Flavour::atomic_write;  // by its load, where that is a plain one
    case AccessKind::write:
      return flavour == Flavour::write;
    // An update that the host makes of a load and a compare-and-exchange is told by its load, too.
    case AccessKind::atomic_read:
      return is_atomic(flavour);
    case AccessKind::atomic_write:
      return flavour == Flavour::atomic_write || flavour == Flavour::atomic_perhaps;
    case AccessKind::none:
      return false;
  }
  return false;
}

bool is(FoundSide const& side, int slot, Flavour flavour) {
  return (side.slot < 0 || side.slot == slot) && is(side.kind, flavour);
}

bool says(Found const& f, Claim const& claim) {
  if (verdict_of(f.rule) != claim.verdict || f.kernel != claim.kernel) return false;
  if (claim.verdict == Verdict::thrown) return true;
  if (claim.verdict == Verdict::outside) return !f.sides.empty() && (f.sides[0].slot < 0 || f.sides[0].slot == claim.slot);
  if (f.array != claim.array) return false;
  if (claim.verdict == Verdict::uninit) return !f.sides.empty() && (f.sides[0].slot < 0 || f.sides[0].slot == claim.slot);
  if (f.sides.size() != 2) return false;
  FoundSide const &a = f.sides[0], &b = f.sides[1];
  return (is(a, claim.slot, claim.flavour) && is(b, claim.other, claim.other_flavour)) ||
         (is(b, claim.slot, claim.flavour) && is(a, claim.other, claim.other_flavour));
}

bool is_right_rule(Case const& c, Found const& f) {
  if (f.array < 0 || f.array >= static_cast<int>(c.arrays.size()))
    return f.rule == Rule::out_of_bounds || f.rule == Rule::crash;
  bool const scratch = is_scratch(c.arrays[static_cast<std::size_t>(f.array)].place);
  if (f.rule == Rule::scratch_race || f.rule == Rule::uninit_scratch) return scratch;
  if (f.rule == Rule::global_race || f.rule == Rule::uninit_global || f.rule == Rule::unfenced_handover) return !scratch;
  return true;
}

std::string text(Found const& f) {
  std::string text = fmt::format("{} in kernel {}, array {}, byte {}", teamsan::rule_id(f.rule), f.kernel, f.array, f.offset);
  for (FoundSide const& s : f.sides)
    text += fmt::format("; operation {} (kind {}) by team {} lane {} at {}", s.slot, static_cast<int>(s.kind), s.team, s.lane,
                        s.place);
  return text;
}

/// Not about bytes: an update on every vector lane.
bool is_beside(Found const& f) { return f.rule == Rule::lane_redundant; }

bool is_true(Case const& c, Expected const& expected, Found const& f) {
  if (!verdict_of(f.rule) || !is_right_rule(c, f)) return false;
  auto const any = [&](std::set<Claim> const& claims) {
    return std::any_of(claims.begin(), claims.end(), [&](Claim const& claim) { return says(f, claim); });
  };
  if (f.rule == Rule::out_of_bounds || f.rule == Rule::crash) return any(expected.allowed);
  auto const word = expected.words.find({f.kernel, f.array, f.offset / 4});
  return word != expected.words.end() && any(word->second);
}

/// Lanes whose numbers say which items they have.
bool names_items(Kernel const& k) { return k.policy == Policy::range_for || is_team(k.policy); }

bool conflict(Deal const& a, Deal const& b) {
  bool const ordered = a.team == b.team && (a.epoch != b.epoch || (a.thread == b.thread && a.turn != b.turn));
  bool const same_lane = a.team == b.team && a.lane == b.lane;
  return !ordered && !same_lane && !(is_atomic(a.flavour) && is_atomic(b.flavour)) &&
         (may_write(a.flavour) || may_write(b.flavour)) && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

/// The races of which the two lanes that are named did not do it. Of different teams: lanes of the two teams that are named,
/// since of a word whose bytes several lanes of a team touched by one instruction, the first one is named.
std::vector<std::string> wrong_lanes(Case const& c, std::vector<Found> const& found) {
  struct Named {
    Found const* f;
    std::vector<Deal> of[2];
  };
  std::vector<std::string> wrong;
  for (std::size_t n = 0; n != c.kernels.size(); ++n) {
    Kernel const& k = c.kernels[n];
    std::vector<Named> named;
    for (Found const& f : found)
      if (f.kernel == static_cast<int>(n) && verdict_of(f.rule) && f.sides.size() == 2) named.push_back({&f, {}});
    if (named.empty() || !names_items(k)) continue;
    for_each_deal(c, k, 0, [&](Deal const& d) {
      for (Named& name : named) {
        bool const any_lane = name.f->sides[0].team != name.f->sides[1].team;
        std::int64_t const word = name.f->offset / 4 * 4;
        if (d.array != name.f->array || d.offset >= word + 4 || d.offset + d.bytes <= word) continue;
        for (int i = 0; i != 2; ++i) {
          FoundSide const& s = name.f->sides[static_cast<std::size_t>(i)];
          std::uint64_t const team = is_team(k.policy) ? d.team : d.lane / static_cast<std::uint32_t>(range_block());
          std::uint64_t const lane = is_team(k.policy) ? d.lane : d.lane % static_cast<std::uint32_t>(range_block());
          bool const it = s.team == team && (any_lane || s.lane == lane);
          if (it && is(s, d.slot, d.flavour)) name.of[i].push_back(d);
        }
      }
    });
    for (Named const& name : named) {
      bool any = false;
      for (Deal const& a : name.of[0])
        for (Deal const& b : name.of[1]) any = any || conflict(a, b);
      if (!any) wrong.push_back("these lanes: " + text(*name.f));
    }
  }
  return wrong;
}

bool is_met(Demand const& d, std::vector<Found> const& found) {
  for (Found const& f : found) {
    if (std::any_of(d.claims.begin(), d.claims.end(), [&](Claim const& claim) { return says(f, claim); })) return true;
    Claim const& claim = d.claims.front();
    bool const race = verdict_of(f.rule) == Verdict::race || verdict_of(f.rule) == Verdict::same_value;
    if (!race || d.wide == 0 || f.kernel != claim.kernel || f.array != claim.array) continue;
    for (FoundSide const& s : f.sides)
      if (s.slot >= 0 && (d.wide >> s.slot & 1)) return true;
  }
  return false;
}

}  // namespace

std::string Disagreement::text() const {
  std::string text;
  for (std::string const& s : invented) text += "  not true: " + s + "\n";
  for (std::string const& s : missed) text += "  missed: " + s + "\n";
  return text;
}

Disagreement compare_invented(Case const& c, Expected const& expected, std::vector<Found> const& found) {
  Disagreement d;
  for (Found const& f : found)
    if (!is_beside(f) && !is_true(c, expected, f)) d.invented.push_back(text(f));
  if (d.invented.empty()) d.invented = wrong_lanes(c, found);
  return d;
}

Disagreement compare(Case const& c, Expected const& expected, std::vector<Found> const& found) {
  Disagreement d = compare_invented(c, expected, found);
  for (Demand const& demand : expected.demands) {
    if (is_met(demand, found)) continue;
    std::string text;
    for (Claim const& claim : demand.claims) text += (text.empty() ? "" : "; or ") + to_string(claim);
    d.missed.push_back(text);
  }
  return d;
}

}  // namespace property::bytes
