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

struct Latest {
  std::mutex mutex;
  std::string kernel;
  std::uint64_t launch = 0;
  std::vector<std::pair<std::uintptr_t, std::uintptr_t>> copied;  ///< since then: from where to where
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
}

void note_read_by_copy(std::uintptr_t begin, std::size_t bytes) {
  Latest& l = latest();
  std::lock_guard const lock(l.mutex);
  auto const again = [&](auto const& range) { return range.first <= begin && begin + bytes <= range.second; };
  if (std::ranges::none_of(l.copied, again)) l.copied.emplace_back(begin, begin + bytes);
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
  {
    Latest& l = latest();
    std::lock_guard const lock(l.mutex);
    if (std::ranges::any_of(l.copied, [&](auto const& r) { return r.first < end && begin < r.second; })) return;
    f.why = {because(Reason::cleared_unread, l.kernel, l.launch)};
  }
  f.rule = Rule::lost_contribution;
  f.title = "sums are cleared that nobody has read";
  f.data = detect::describe_global(updated, 0);
  Side side;
  side.role = "cleared here";
  side.callers = program().stack();
  f.sides.push_back(std::move(side));
  f.fix = remedy(Cure::reset_before);
  report(std::move(f));
}

}  // namespace teamsan
