#include <teamsan/sim/detect/Crash.hpp>

#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/detect/Checker.hpp>
#include <teamsan/sim/findings/Collector.hpp>
#include <teamsan/sim/machine/CallStack.hpp>
#include <teamsan/sim/machine/Commit.hpp>
#include <teamsan/sim/trace/TeamTrace.hpp>

#include <fmt/format.h>

namespace teamsan::detect {

namespace {

RawFinding finding(Team const& team, std::string title, std::uintptr_t pc) {
  RawFinding f;
  f.rule = Rule::crash;
  f.title = std::move(title);
  RawSide side;
  side.role = "crashed here";
  side.lane = {true, team.league_rank(), hot.lane->lane.index};
  side.has_interval = true;
  side.interval = team.interval();
  side.pc = pc;
  side.callers = call_stack();
  f.sides.push_back(std::move(side));
  return f;
}

}  // namespace

void lane_threw(Team& team, char const* what) {
  RuntimeScope const scope;
  if (!options().enabled(Rule::crash)) return;
  RawFinding f = finding(team, "an exception left the kernel", hot.lane->throw_site);
  f.sides[0].role = "threw";
  f.sides[0].callers = std::move(hot.lane->throw_callers);
  f.message = what ? fmt::format("what(): {}", what) : "it is no std::exception";
  f.why = {"GPUs have no exceptions: device compilers reject or ignore them"};
  f.fix = "return an error code through a View, or call Kokkos::abort";
  Key const key{Rule::crash, hot.lane->throw_site, 1, 0};
  add_finding(team, key, [&] { return std::move(f); }, LaneIs::gone_on);
}

void commit_crashed(Team& team, LaneCrash const& crash) {
  if (hot.trace_next != nullptr)
    trace::note_end(trace::EventKind::crash,
                    {true, crash.what, crash.pc, crash.address, crash.callers, crash.why, crash.fix});
  team.launch().commit->add_crashed(team);
  report_crash(team, crash);
}

void report_crash(Team const& team, LaneCrash const& crash) {
  if (!options().enabled(Rule::crash)) return;
  RawFinding f = finding(team, fmt::format("a lane crashed: {}", crash.what), crash.pc);
  f.sides[0].callers = crash.callers;
  f.why = crash.why;
  if (crash.address != 0) f.why.push_back(fmt::format("the address was {:#x}", crash.address));
  f.fix = crash.fix;
  report(finish(std::move(f), team.launch().facts));
}

}  // namespace teamsan::detect
