// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HandedOn.hpp"

#include "../base/Arena.hpp"
#include "../base/Options.hpp"
#include "../detect/Checker.hpp"
#include "../detect/LaunchWords.hpp"
#include "../detect/MissingFence.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../machine/LaunchState.hpp"
#include "../memory/Hot.hpp"
#include "../places/Program.hpp"
#include "../places/Sites.hpp"
#include "../trace/Mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace teamsan {

namespace {

struct GoingOn {
  std::uintptr_t begin, end;
  bool fills;
  std::string call;
  Site site;
  std::vector<Site> callers;
};

struct HandedOn {
  std::atomic<bool> used{false};
  std::mutex mutex;
  std::uint64_t latest_ticket = 0;
  std::map<std::uint64_t, GoingOn> going_on;  ///< by ticket
  LaunchFacts launch;                         ///< the latest
  detect::LaunchWords words;                  ///< of it
};
HandedOn& handed() {
  static auto* const h = new HandedOn;  // outlives exit handlers
  return *h;
}

bool is_looked_at() { return options().enabled(Rule::missing_fence) && hot.lane == nullptr && !trace::recording(); }

Side host_side(Site site, bool fills, std::vector<Site> callers) {
  Side side;
  side.access = fills ? AccessKind::write : AccessKind::read;
  side.site = site;
  side.callers = std::move(callers);
  return side;
}

Side lane_side(detect::WordAccess const& access, LaunchFacts const& launch) {
  detect::RawFinding raw;
  detect::RawSide side;
  side.access = access_kind(access.writes, access.atomic);
  side.lane = {true, access.league, access.lane};
  side.site = access.site;
  raw.sides.push_back(std::move(side));
  return detect::finish(std::move(raw), launch).sides[0];
}

/// The first word of [begin, end) on which the latest launch conflicts with who reads or fills them.
std::optional<std::pair<std::uintptr_t, detect::WordAccess>> conflict(detect::LaunchWords const& words, std::uintptr_t begin,
                                                                      std::uintptr_t end, bool fills) {
  for (std::uintptr_t word = begin / 4 * 4; word < end; word += 4)
    if (std::optional<detect::WordAccess> const access = words.access(word); access && (fills || access->writes))
      return std::pair(word, *access);
  return {};
}

/// The latest launch may still work on device memory that is handed on.
void check_device_memory(std::uintptr_t begin, std::uintptr_t end, bool fills, Site site) {
  if (detect::is_latest_launch_fenced()) return;
  HandedOn& h = handed();
  std::lock_guard const lock(h.mutex);
  auto const found = conflict(h.words, begin, end, fills);
  if (!found) return;
  detect::RawFinding raw;
  raw.rule = Rule::missing_fence;
  Finding f = detect::finish(std::move(raw), h.launch);
  f.title = fmt::format("device memory is {} while a kernel that is not fenced {} it", fills ? "filled" : "handed on",
                        found->second.writes ? "writes" : "reads");
  f.data = detect::describe_global(found->first, 4);
  f.sides = {host_side(site, fills, program().stack()), lane_side(found->second, h.launch)};
  f.count_at_least = true;
  std::string const kernel = clipped(h.launch.config.label);
  f.why = {because(Reason::goes_on, fmt::format("kernel \"{}\" (launch #{})", kernel, h.launch.number))};
  f.fix = remedy(Cure::fence_before);
  report(std::move(f));
}

}  // namespace

void expect_handing_on() { handed().used = true; }
bool expects_handing_on() { return handed().used; }

void hand_on(void const* pointer, std::size_t bytes, bool fills, void const* call_site) {
  if (bytes == 0 || !is_looked_at()) return;
  RuntimeScope const scope;
  auto const begin = reinterpret_cast<std::uintptr_t>(pointer);
  Site const site = site_at(call_site);
  bool const own = arena::contains(arena::device, arena::device_bytes, begin);
  if (own && !detect::has_several_instances()) return check_device_memory(begin, begin + bytes, fills, site);
  std::size_t const at_once = std::size_t{1} << 30;  // Access counts 32 bits
  for (std::size_t done = 0; done < bytes; done += at_once)
    detect::check_host_access({begin + done, static_cast<std::uint32_t>(std::min(bytes - done, at_once)),
                               fills ? AccessKind::write : AccessKind::read, site});
}

std::uint64_t begin_handing_on(void const* pointer, std::size_t bytes, bool fills, char const* call,
                               void const* call_site) {
  hand_on(pointer, bytes, fills, call_site);
  auto const begin = reinterpret_cast<std::uintptr_t>(pointer);
  if (bytes == 0 || !is_looked_at() || !arena::contains(arena::global, arena::global_bytes, begin)) return 0;
  RuntimeScope const scope;
  HandedOn& h = handed();
  std::lock_guard const lock(h.mutex);
  Site const site = site_at(call_site);
  h.going_on[++h.latest_ticket] = {begin, begin + bytes, fills, call, site, program().stack()};
  return h.latest_ticket;
}

void end_handing_on(std::uint64_t ticket) {
  if (ticket == 0) return;
  RuntimeScope const scope;
  HandedOn& h = handed();
  std::lock_guard const lock(h.mutex);
  h.going_on.erase(ticket);
}

void check_handed_on(LaunchState const& launch) {
  HandedOn& h = handed();
  if (!h.used || !options().enabled(Rule::missing_fence)) return;
  std::lock_guard const lock(h.mutex);
  h.launch = launch.facts;
  h.words = launch.checked ? detect::LaunchWords(launch) : detect::LaunchWords();
  for (auto const& [ticket, g] : h.going_on) {
    auto const found = conflict(h.words, g.begin, g.end, g.fills);
    if (!found) continue;
    detect::RawFinding raw;
    raw.rule = Rule::missing_fence;
    Finding f = detect::finish(std::move(raw), launch.facts);
    f.title = fmt::format("a kernel {} what {} still {}", found->second.writes ? "writes" : "reads", g.call,
                          g.fills ? "fills" : "reads");
    f.data = detect::describe_global(found->first, 4);
    f.sides = {lane_side(found->second, launch.facts), host_side(g.site, g.fills, g.callers)};
    f.count_at_least = f.teams_at_least = true;  // the first word alone is asked for
    f.why = {because(Reason::not_waited_for, g.call)};
    f.fix = remedy(Cure::wait_for_request);
    report(std::move(f));
  }
}

}  // namespace teamsan
