// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Conflicts.hpp"

#include "../base/OfThread.hpp"
#include "../places/AtomicCode.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

namespace teamsan::detect {

namespace {

using enum AccessKind;
/// Who writes comes first.
constexpr std::array<std::pair<AccessKind, AccessKind>, conflicting_kinds> kinds{
    {{write, write}, {write, read}, {write, atomic_write}, {write, atomic_read}, {atomic_write, read}}};

}  // namespace

AccessKind kind_in_truth(JoinedAccess const& access) {
  return access_kind(is_write(access.kind), is_part_of_atomic(is_atomic(access.kind), access.mark.site));
}

std::size_t index_of_kinds(AccessKind a, AccessKind b) {
  for (std::size_t i = 0; i != kinds.size(); ++i)
    if (kinds[i] == std::pair(a, b) || kinds[i] == std::pair(b, a)) return i;
  return 0;
}

Conflicts conflicts(FlatShadow::Deeds const& deeds, std::vector<FlatShadow::Late> const& late, bool lacks_late,
                    AccessKind (*kind_of)(JoinedAccess const&),
                    std::function<bool(JoinedAccess const&, JoinedAccess const&)> const& ordered) {
  Conflicts found;
  // Called for each word that races: what it needs is taken once a thread.
  static thread_local constinit OfThread<std::array<std::vector<JoinedAccess>, 4>> room;
  std::array<std::vector<JoinedAccess>, 4>& by_kind = *room;
  auto const of_kind = [&](AccessKind kind) -> std::vector<JoinedAccess>& {
    return by_kind[static_cast<std::size_t>(kind) - 1];
  };
  for (AccessKind const kind : {read, write, atomic_read, atomic_write}) {
    std::vector<JoinedAccess>& all = of_kind(kind);
    all.clear();
    for (FlatShadow::Mark const mark : {deeds[kind].first, deeds[kind].second})
      if (mark) all.push_back({kind, mark});
  }
  for (FlatShadow::Late const& l : late) of_kind(l.kind).push_back({l.kind, l.mark, l.tick});
  if (!late.empty())
    for (std::vector<JoinedAccess>& all : by_kind)
      if (all.size() > 1) std::ranges::stable_sort(all, {}, [](JoinedAccess const& a) { return a.mark.lane; });
  for (auto const& [a, b] : kinds) {
    bool passed_over = false;
    std::optional<std::pair<JoinedAccess, JoinedAccess>> first;
    auto const place = [](JoinedAccess const& x, JoinedAccess const& y) { return std::minmax(x.mark.lane, y.mark.lane); };
    auto const comes_first = [&](JoinedAccess const& x, JoinedAccess const& y) {
      if (!first) return true;
      auto const [earlier, later] = place(x, y);
      auto const [earlier_known, later_known] = place(first->first, first->second);
      return std::tuple(later, earlier) < std::tuple(later_known, earlier_known);
    };
    for (JoinedAccess const& x : of_kind(a))
      for (JoinedAccess const& y : of_kind(b)) {
        if (x.mark.lane == y.mark.lane || !conflict(kind_of(x), kind_of(y)) || !comes_first(x, y)) continue;
        if (ordered && ordered(x, y))
          passed_over = true;
        else
          first.emplace(x, y);
      }
    if (first)
      found.pairs.push_back(*first);
    else
      found.lacks_some = found.lacks_some || (passed_over && (lacks_late || deeds[a].more || deeds[b].more));
  }
  return found;
}

}  // namespace teamsan::detect
