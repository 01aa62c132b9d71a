// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ClearedSums.hpp"

#include "../base/Arena.hpp"
#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "../detect/Checker.hpp"
#include "../detect/LaunchWords.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/LaunchState.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../places/Program.hpp"
#include "../trace/Mode.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

struct Range {
  std::uintptr_t begin, end;
  bool meets(Range const& other) const { return begin < other.end && other.begin < end; }
};

/// Sums that were cleared unread.
struct Cleared {
  Range range;
  Finding finding;
  bool by_now = false;  ///< the launch that clears them has ended
};

/// A ScatterView's copies of its own, and what is to be said if nobody reads what was added there.
struct Copies {
  std::size_t bytes = 0;
  std::optional<Finding> unread = {};
};

Finding never_contributed(LaunchState const& launch, std::uintptr_t updated) {
  detect::RawFinding f;
  f.rule = Rule::lost_contribution;
  f.severity = Severity::warning;
  f.title = "sums in copies of a ScatterView that nobody has read";
  f.data = detect::describe_global(updated, 0);
  if (std::optional<detect::WordAccess> const lane = detect::LaunchWords(launch).access(updated)) {
    detect::RawSide side;
    side.access = AccessKind::atomic_write;
    side.lane = {true, lane->league, lane->lane};
    side.site = lane->site;
    f.sides.push_back(std::move(side));
  }
  f.why = {because(Reason::never_contributed)};
  f.fix = remedy(Cure::contribute);
  Finding found = detect::finish(std::move(f), launch.facts);
  found.count_at_least = found.teams_at_least = true;  // one lane of those that added
  return found;
}

struct Latest {
  std::mutex mutex;
  std::string kernel;
  std::uint64_t launch = 0;
  std::vector<Range> copied;  ///< since then
  std::vector<Cleared> cleared;
  std::map<std::uintptr_t, Copies> of_scatter_views;  ///< by where they begin

  /// Whoever the reason names has read them.
  void tell(Cleared&& c, Because reader) {
    c.finding.why.push_back(std::move(reader));
    report(std::move(c.finding));
  }
  void look_at_copies(LaunchState const& launch) {
    for (auto& [begin, copies] : of_scatter_views) {
      if (!global_shadow::touched_by_launch(begin, copies.bytes)) continue;
      copies.unread.reset();
      if (std::uintptr_t const updated = global_shadow::updated_by_launch(begin, copies.bytes))
        copies.unread = never_contributed(launch, updated);
    }
  }
  void look_at_launch() {
    std::erase_if(cleared, [&](Cleared& c) {
      if (!std::exchange(c.by_now, true)) return false;
      std::size_t const bytes = c.range.end - c.range.begin;
      if (!global_shadow::touched_by_launch(c.range.begin, bytes)) return false;
      if (global_shadow::updated_by_launch(c.range.begin, bytes) == 0 &&
          global_shadow::read_by_launch(c.range.begin, bytes) != 0)
        tell(std::move(c), because(Reason::cleared_sums_read, kernel, launch));
      return true;
    });
  }
};
Latest& latest() {
  static auto* const l = new Latest;  // outlives exit handlers
  return *l;
}

/// Kokkos resets them as it makes them, and calls them so.
void note_copies(std::uintptr_t data) {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
  {
    AllocationsHeld const held;
    Allocation const* const a = find_allocation(data);
    if (a == nullptr || !a->live || a->data() != data || !std::string_view(a->label).starts_with("duplicated_")) return;
    begin = a->begin;
    bytes = a->bytes;
  }
  Latest& l = latest();
  std::lock_guard const lock(l.mutex);
  l.of_scatter_views[begin].bytes = bytes;
}

}  // namespace

void note_latest_launch(LaunchState const& launch) {
  Latest& l = latest();
  std::lock_guard const lock(l.mutex);
  l.kernel = launch.facts.config.label;
  l.launch = launch.facts.number;
  l.copied.clear();
  l.look_at_launch();
  l.look_at_copies(launch);
}

bool awaits_use_of_cleared_sums() {
  Latest& l = latest();
  std::lock_guard const lock(l.mutex);
  return !l.cleared.empty();
}

bool awaits_use_of_cleared() {
  Latest& l = latest();
  std::lock_guard const lock(l.mutex);
  return !l.cleared.empty() || !l.of_scatter_views.empty();
}

void note_read_by_copy(std::uintptr_t begin, std::size_t bytes) {
  Latest& l = latest();
  Range const range{begin, begin + bytes};
  std::lock_guard const lock(l.mutex);
  std::erase_if(l.cleared, [&](Cleared& c) {
    if (!c.range.meets(range)) return false;
    l.tell(std::move(c), because(Reason::cleared_sums_copied));
    return true;
  });
  for (auto& [at, copies] : l.of_scatter_views)
    if (range.meets({at, at + copies.bytes})) copies.unread.reset();
  auto const again = [&](Range const& r) { return r.begin <= range.begin && range.end <= r.end; };
  if (std::ranges::none_of(l.copied, again)) l.copied.push_back(range);
}

void note_no_longer_cleared(std::uintptr_t begin, std::size_t bytes) {
  Latest& l = latest();
  std::lock_guard const lock(l.mutex);
  std::erase_if(l.cleared, [&](Cleared const& c) { return c.range.meets({begin, begin + bytes}); });
}

void note_sums_freed(void const* begin) {
  Latest& l = latest();
  std::lock_guard const lock(l.mutex);
  auto const copies = l.of_scatter_views.find(reinterpret_cast<std::uintptr_t>(begin));
  if (copies == l.of_scatter_views.end()) return;
  RuntimeScope const scope;
  if (copies->second.unread) report(std::move(*copies->second.unread));
  l.of_scatter_views.erase(copies);
}

void note_cleared(void const* pointer, std::size_t bytes) {
  auto const begin = reinterpret_cast<std::uintptr_t>(pointer), end = begin + bytes;
  if (!options().enabled(Rule::lost_contribution) || trace::recording() ||
      !arena::contains(arena::device, arena::device_bytes, begin))
    return;
  RuntimeScope const scope;
  note_copies(begin);
  std::uintptr_t const updated = global_shadow::updated_by_launch(begin, bytes);
  if (updated == 0 || !shard.judges(updated)) return;  // a first team's words are seen by every shard, later ones' are not
  Finding f;
  f.rule = Rule::lost_contribution;
  f.title = "sums are cleared that nobody has read";
  f.data = detect::describe_global(updated, 0);
  Side side;
  side.role = "cleared here";
  side.callers = program().stack();
  f.sides.push_back(std::move(side));
  f.fix = remedy(Cure::reset_before);
  Latest& l = latest();
  std::lock_guard const lock(l.mutex);
  if (std::ranges::any_of(l.copied, [&](Range const& r) { return r.meets({begin, end}); })) return;
  f.why = {because(Reason::cleared_unread, l.kernel, l.launch)};
  std::erase_if(l.cleared, [&](Cleared const& c) { return c.range.meets({begin, end}); });
  l.cleared.push_back({{begin, end}, std::move(f)});
}

}  // namespace teamsan
