/// nesting: constructs inside constructs that the hierarchy league > team > thread > vector lane does not have, and kernels
/// inside kernels.
#include <teamsan/sim/machine/Events.hpp>

#include <teamsan/sim/base/Options.hpp>
#include <teamsan/sim/base/Synchronisation.hpp>
#include <teamsan/sim/detect/Checker.hpp>
#include <teamsan/sim/machine/CallStack.hpp>

#include <fmt/format.h>

namespace teamsan::detect {

namespace {

constexpr std::uint32_t bit(Scope s) { return 1u << static_cast<unsigned>(s); }

char const* name(Scope scope) {
  switch (scope) {
    case Scope::team_thread_range: return "a TeamThreadRange";
    case Scope::thread_vector_range: return "a ThreadVectorRange";
    case Scope::team_vector_range: return "a TeamVectorRange";
    case Scope::single_per_team: return "single(PerTeam)";
    case Scope::single_per_thread: return "single(PerThread)";
    case Scope::kernel: return "a kernel";
  }
  return "";
}

void add(Team& team, std::uintptr_t site, std::uint64_t what, std::string title, std::string why, std::string fix) {
  if (!team.checked() || !options().enabled(Rule::nesting)) return;
  RuntimeScope const scope;
  add_finding(team, Key{Rule::nesting, site, what, 0}, [&] {
    RawFinding f;
    f.rule = Rule::nesting;
    f.title = std::move(title);
    RawSide side;
    side.role = "is here";
    side.lane = {true, team.league_rank(), hot.lane->lane.index};
    side.has_interval = true;
    side.interval = team.interval();
    side.pc = site;
    side.callers = call_stack();
    f.sides.push_back(std::move(side));
    f.why = {std::move(why)};
    f.fix = std::move(fix);
    return f;
  });
}

Scope innermost(std::uint32_t scopes) {
  for (Scope const s : {Scope::single_per_thread, Scope::single_per_team, Scope::thread_vector_range,
                        Scope::team_vector_range, Scope::team_thread_range})
    if (scopes & bit(s)) return s;
  return Scope::team_thread_range;
}

}  // namespace
}  // namespace teamsan::detect

namespace teamsan::events {

using namespace detect;

void met_inside(Team& team, std::uint32_t scopes, Meeting meeting, std::uintptr_t site) {
  std::uint32_t const inside_vector = scopes & (bit(Scope::thread_vector_range) | bit(Scope::team_vector_range));
  std::uint32_t const inside_single = scopes & (bit(Scope::single_per_team) | bit(Scope::single_per_thread));
  if (synchronisation(meeting).meets == Meets::team) {
    if (!(inside_vector | inside_single)) return;  // in a TeamThreadRange it may be legal: all threads may come
    add(team, site, 1 + scopes, fmt::format("a team collective inside {}", name(innermost(scopes))),
        "the collective needs every lane of the team, but the body runs on some of them, or a different number of times",
        "move the collective out of the body");
  } else if (inside_vector | inside_single) {
    add(team, site, 1 + scopes, fmt::format("a vector-level collective inside {}", name(innermost(scopes))),
        "the collective needs all vector lanes of the thread, but the body runs on some of them",
        "move the collective out of the body");
  }
}

void scope_entered(Team& team, std::uint32_t scopes, Scope scope, std::uintptr_t site) {
  std::uint32_t const any_vector = bit(Scope::thread_vector_range) | bit(Scope::team_vector_range);
  std::uint32_t const any_single = bit(Scope::single_per_team) | bit(Scope::single_per_thread);
  if (scope == Scope::kernel)
    return add(team, site, 64 + scopes * 8 + static_cast<unsigned>(scope), "a kernel launched inside a kernel",
               "inside a kernel Kokkos has nested policies alone (TeamThreadRange, ThreadVectorRange, TeamVectorRange); "
               "with an execution policy, parallel_for, parallel_reduce and parallel_scan \"cannot be called from device\", "
               "where Kokkos aborts. This launch was not carried out",
               "use a TeamPolicy for the outer kernel and a nested policy here, a plain loop, or two kernels one after the "
               "other");
  bool bad = false;
  switch (scope) {
    case Scope::team_thread_range:
    case Scope::team_vector_range:
      bad = scopes != 0;
      break;
    case Scope::thread_vector_range:
      bad = (scopes & (any_vector | any_single)) != 0;
      break;
    case Scope::single_per_team:
      bad = (scopes & (any_vector | any_single)) != 0;
      break;
    case Scope::single_per_thread:
      bad = (scopes & (any_vector | bit(Scope::single_per_thread))) != 0;
      break;
    case Scope::kernel:
      break;  // above
  }
  if (!bad) return;
  add(team, site, 64 + scopes * 8 + static_cast<unsigned>(scope),
      fmt::format("{} inside {}", name(scope), name(innermost(scopes))),
      "the hierarchy is team > thread > vector lane: a range splits work over the level below the one it is called on",
      "call the range on the level it belongs to, or use a plain loop");
}

}  // namespace teamsan::events
