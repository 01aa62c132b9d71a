// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// nesting: constructs inside constructs that the hierarchy league > team > thread > vector lane does not have, and kernels
/// inside kernels.
#include "../machine/Events.hpp"

#include "../base/Options.hpp"
#include "../base/Synchronisation.hpp"
#include "Checker.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/CallStack.hpp"

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

/// What a construct splits work over, or picks one of.
struct Levels {
  bool threads, lanes;
};

Levels levels(Scope scope) {
  switch (scope) {
    case Scope::team_thread_range: return {true, false};
    case Scope::thread_vector_range:
    case Scope::single_per_thread: return {false, true};
    case Scope::team_vector_range:
    case Scope::single_per_team: return {true, true};
    case Scope::kernel: break;
  }
  return {false, false};
}

bool is_single(Scope scope) { return scope == Scope::single_per_team || scope == Scope::single_per_thread; }

/// Does the body of `inner`, inside `scopes`, run for other iterations than it says? So it does where both split the same
/// threads or lanes, or one splits what the other picks from. Where they have no more than one in common, or both pick the
/// same one, every backend does what the text says.
bool loses_work(Team const& team, std::uint32_t scopes, Scope inner) {
  bool const threads = team.launch().facts.config.team_size > 1, lanes = team.launch().facts.config.vector_length > 1;
  for (Scope const outer : {Scope::team_thread_range, Scope::thread_vector_range, Scope::team_vector_range,
                            Scope::single_per_team, Scope::single_per_thread}) {
    if (!(scopes & bit(outer)) || (is_single(outer) && is_single(inner))) continue;
    Levels const a = levels(outer), b = levels(inner);
    if ((threads && a.threads && b.threads) || (lanes && a.lanes && b.lanes)) return true;
  }
  return false;
}

void add(Team& team, Site site, std::uint64_t what, std::string title, Reason why, Cure fix,
         Severity severity = Severity::error) {
  if (!team.checked() || !options().enabled(Rule::nesting)) return;
  RuntimeScope const scope;
  add_finding(team, Key{Rule::nesting, site, Site{}, what}, [&] {
    RawFinding f;
    f.rule = Rule::nesting;
    f.severity = severity;
    f.title = std::move(title);
    RawSide side;
    side.role = "is here";
    side.lane = {true, team.league_rank(), hot.lane->lane.index};
    side.has_interval = true;
    side.interval = team.interval();
    side.site = site;
    side.callers = call_stack();
    f.sides.push_back(std::move(side));
    f.why = {because(why)};
    f.fix = remedy(fix);
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

void met_inside(Team& team, std::uint32_t scopes, Meeting meeting, Site site) {
  if (meeting == Meeting::single_team || meeting == Meeting::single_thread || meeting == Meeting::vector_range_end)
    return;  // the end of a construct: told where it is entered
  std::uint32_t const inside_vector = scopes & (bit(Scope::thread_vector_range) | bit(Scope::team_vector_range));
  std::uint32_t const inside_single = scopes & (bit(Scope::single_per_team) | bit(Scope::single_per_thread));
  if (synchronisation(meeting).meets == Meets::team) {
    if (!(inside_vector | inside_single)) return;  // in a TeamThreadRange it may be legal: all threads may come
    add(team, site, 1 + scopes, fmt::format("a team collective inside {}", name(innermost(scopes))),
        Reason::needs_every_lane, Cure::collective_out);
  } else if (inside_vector | inside_single) {
    add(team, site, 1 + scopes, fmt::format("a vector-level collective inside {}", name(innermost(scopes))),
        Reason::needs_vector_lanes, Cure::collective_out);
  }
}

void scope_entered(Team& team, std::uint32_t scopes, Scope scope, Site site) {
  std::uint32_t const any_vector = bit(Scope::thread_vector_range) | bit(Scope::team_vector_range);
  std::uint32_t const any_single = bit(Scope::single_per_team) | bit(Scope::single_per_thread);
  if (scope == Scope::kernel)
    return add(team, site, 64 + scopes * 8 + static_cast<unsigned>(scope), "a kernel launched inside a kernel",
               Reason::kernel_in_kernel, Cure::nested_policy);
  bool bad = false;
  switch (scope) {
    case Scope::team_thread_range:
    case Scope::team_vector_range:
      bad = scopes != 0;
      break;
    case Scope::thread_vector_range:
    case Scope::single_per_team:
    case Scope::single_per_thread:
      bad = (scopes & (any_vector | any_single)) != 0;
      break;
    case Scope::kernel:
      break;  // above
  }
  if (!bad) return;
  bool const loses = loses_work(team, scopes, scope);
  add(team, site, 64 + scopes * 8 + static_cast<unsigned>(scope),
      fmt::format("{} inside {}", name(scope), name(innermost(scopes))),
      loses ? Reason::hierarchy : Reason::hierarchy_without_loss,
      is_single(scope) ? Cure::leave_single_out : Cure::range_on_its_level,
      loses ? Severity::error : Severity::warning);
}

}  // namespace teamsan::events
