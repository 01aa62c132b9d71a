// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Crash.hpp"

#include "../base/Options.hpp"
#include "Checker.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../machine/CallStack.hpp"
#include "../machine/Commit.hpp"
#include "../memory/Allocations.hpp"
#include "../trace/TeamTrace.hpp"

#include <fmt/format.h>

namespace teamsan::detect {

namespace {

RawFinding finding(Team const& team, std::string title, Site site) {
  RawFinding f;
  f.rule = Rule::crash;
  f.title = std::move(title);
  RawSide side;
  side.role = "crashed here";
  bool const known = team.blocks_end() == 0;
  if (known)
    side.lane = {true, team.league_rank(), hot.lane->lane.index};
  else
    side.actor = "a lane";
  side.has_interval = known;
  side.interval = team.interval();
  side.site = site;
  side.callers = call_stack();
  f.sides.push_back(std::move(side));
  return f;
}

/// What lies there, or nearest to it.
std::string nearest_to(std::uintptr_t address) {
  constexpr std::uintptr_t one_pointer_may_reach = 64 * 1024;
  if (address == 0) return "a null pointer";
  if (address < one_pointer_may_reach) return fmt::format("{} past a null pointer", counted(address, "byte"));
  if (-address < one_pointer_may_reach) return fmt::format("{} before a null pointer", counted(-address, "byte"));
  if (arena::contains(arena::global, arena::global_bytes, address)) {
    Data const data = describe_global(address, 0);
    if (data.bytes == 0 && data.label.empty()) return "device memory that was never allocated";
    Allocation const* const owner = find_allocation(address);
    std::string const view = fmt::format("{}\"{}\" ({})", owner != nullptr && !owner->live ? "freed " : "", data.label,
                                         data.shape.empty() ? counted(data.bytes, "byte") : data.shape);
    if (static_cast<std::int64_t>(data.offset) < 0)
      return fmt::format("{} before the View {}", counted(-data.offset, "byte"), view);
    if (data.offset >= data.bytes)
      return fmt::format("{} past the end of the View {}", counted(data.offset - data.bytes, "byte"), view);
    return fmt::format("byte {} of the View {}", data.offset, view);
  }
  if (arena::contains(arena::scratch, arena::scratch_bytes, address)) return "scratch that no team has there";
  if (arena::contains(arena::constant, arena::constant_bytes, address)) return "memory of kernels' functors";
  if (arena::contains(arena::stacks, arena::stacks_bytes, address)) return "between the stacks of lanes";
  return "no memory of the simulated GPU; the pointer was never set, or overwritten";
}

}  // namespace

void commit_crashed(Team& team, LaneCrash const& crash) {
  if (hot.trace_next != nullptr)
    trace::note_end(trace::EventKind::crash,
                    {true, crash.what, crash.site, crash.has_address, crash.address, crash.callers, crash.why, crash.fix});
  // The access that the null pointer of a refused scratch View was for is the cause, and told as such.
  bool const told =
      crash.has_address && through_refused_scratch(team, {crash.address, 0, AccessKind::none, crash.site});
  bool const ordered = team.checks().found->atomics.give_values_back();
  team.launch().commit->add_crashed(team);
  if (!told) report_crash(team, crash, ordered);
}

void report_crash(Team const& team, LaneCrash const& crash, bool on_team_order) {
  if (!options().enabled(Rule::crash)) return;
  RawFinding f = finding(team, fmt::format("a lane crashed: {}", crash.what), crash.site);
  f.sides[0].callers = crash.callers;
  f.why = crash.why;
  for (Because const& why : crash.why)
    if (why.kind == Reason::last_words && !why.arguments.empty())
      if (auto const* const words = std::get_if<std::string>(&why.arguments[0].value)) f.message = *words;
  std::erase_if(f.why, [](Because const& why) { return why.kind == Reason::last_words; });
  if (team.blocks_end() != 0) f.why.push_back(because(Reason::crash_in_blocks, team.league_rank(), team.blocks_end() - 1));
  if (crash.has_address)
    f.why.push_back(because(Reason::crash_address, fmt::format("{:#x}", crash.address), nearest_to(crash.address)));
  f.fix = crash.fix;
  f.on_team_order = on_team_order;
  report(finish(std::move(f), team.launch().facts));
}

}  // namespace teamsan::detect

namespace teamsan::events {

using namespace detect;

void threw(Team& team, char const* what) {
  RuntimeScope const scope;
  if (!options().enabled(Rule::crash)) return;
  ++team.checks().threw;
  ThrowPlace const place = team.thrown() != nullptr ? *team.thrown() : ThrowPlace();
  RawFinding f = finding(team, "an exception left the kernel", place.site);
  f.sides[0].role = "threw";
  f.sides[0].callers = place.callers;
  f.message = what ? fmt::format("what(): {}", what) : "it is no std::exception";
  f.why = {because(Reason::no_exceptions)};
  f.fix = remedy(Cure::error_code);
  Key const key{Rule::crash, place.site, Site{}, 1};
  add_finding(team, key, [&] { return std::move(f); }, LaneIs::gone_on);
}

}  // namespace teamsan::events
