// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ClearedSums.hpp"

#include "../base/Arena.hpp"
#include "../base/Options.hpp"
#include "../detect/Checker.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../places/Program.hpp"
#include "../trace/Mode.hpp"

#include <algorithm>
#include <mutex>
#include <string>
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

struct Latest {
  std::mutex mutex;
  std::string kernel;
  std::uint64_t launch = 0;
  std::vector<Range> copied;  ///< since then
  std::vector<Cleared> cleared;

  /// Whoever the reason names has read them.
  void tell(Cleared&& c, Because reader) {
    c.finding.why.push_back(std::move(reader));
    report(std::move(c.finding));
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

}  // namespace

void note_latest_launch(LaunchFacts const& facts) {
  Latest& l = latest();
  std::lock_guard const lock(l.mutex);
  l.kernel = facts.config.label;
  l.launch = facts.number;
  l.copied.clear();
  l.look_at_launch();
}

bool awaits_use_of_cleared() {
  Latest& l = latest();
  std::lock_guard const lock(l.mutex);
  return !l.cleared.empty();
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
  auto const again = [&](Range const& r) { return r.begin <= range.begin && range.end <= r.end; };
  if (std::ranges::none_of(l.copied, again)) l.copied.push_back(range);
}

void note_no_longer_cleared(std::uintptr_t begin, std::size_t bytes) {
  Latest& l = latest();
  std::lock_guard const lock(l.mutex);
  std::erase_if(l.cleared, [&](Cleared const& c) { return c.range.meets({begin, begin + bytes}); });
}

void note_cleared(void const* pointer, std::size_t bytes) {
  auto const begin = reinterpret_cast<std::uintptr_t>(pointer), end = begin + bytes;
  if (!options().enabled(Rule::lost_contribution) || trace::recording() ||
      !arena::contains(arena::device, arena::device_bytes, begin))
    return;
  RuntimeScope const scope;
  std::uintptr_t const updated = global_shadow::updated_by_launch(begin, bytes);
  if (updated == 0) return;
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
