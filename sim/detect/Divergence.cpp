// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// barrier-divergence: meetings that not all lanes attend; deadlock, where lanes wait or spin for good. Lanes that wait at the
/// same source line through different instructions (a barrier that the compiler duplicated) are at the same meeting.
#include "../machine/Events.hpp"

#include "../base/Options.hpp"
#include "../base/Synchronisation.hpp"
#include "Checker.hpp"
#include "TeamChecks.hpp"
#include "../findings/Sentences.hpp"
#include "../findings/TextLayout.hpp"
#include "../machine/Team.hpp"
#include "../places/Enclosing.hpp"
#include "../places/Symbolizer.hpp"

#include <fmt/format.h>

#include <optional>

namespace teamsan::detect {

namespace {

RawSide side_of(Team const& team, LaneStand const& lane) {
  RawSide side;
  side.lane = {true, team.league_rank(), lane.index};
  side.has_interval = true;
  side.interval = team.interval();
  switch (lane.status) {
    case LaneStatus::at_team_meeting:
    case LaneStatus::at_thread_meeting:
      side.role = fmt::format("waits at {}", synchronisation(lane.meeting).construct);
      side.site = lane.site;
      side.callers = team.callers(lane.index);
      break;
    case LaneStatus::done:
      side.role = "has left the kernel";
      break;
    case LaneStatus::fresh:
    case LaneStatus::ready:
      side.role = "has not arrived";
      break;
  }
  return side;
}

bool is_told(Team const& team, Rule rule) { return team.checked() && options().enabled(rule); }

Site site_of(LaneStand const& lane) {
  bool const waits = lane.status == LaneStatus::at_team_meeting || lane.status == LaneStatus::at_thread_meeting;
  return waits ? lane.site : Site{};
}

/// By which those that are gone may have left.
void name_return(RawFinding& f) {
  Place const waits = user_place(f.sides[0].site, f.sides[0].callers);
  unsigned const line = waits.internal ? 0 : return_before(waits);
  if (line == 0) return;
  std::string const at = fmt::format("{}:{}", waits.file, line);
  f.why.push_back(because(Reason::return_before, at));
  f.fix = remedy(Cure::no_early_return, at);
}

/// Findings about two groups of lanes: one lane of each, and how large the groups are.
template <class... Words>
void diverged(Team& team, LaneStand const& a, LaneStand const& b, Reason reason, Words... words) {
  if (!is_told(team, Rule::barrier_divergence)) return;
  add_finding(team, {Rule::barrier_divergence, site_of(a), site_of(b), 0}, [&] {
    RawFinding f;
    f.rule = Rule::barrier_divergence;
    f.title = "lanes of a team do not meet at the same synchronisation";
    f.sides = {side_of(team, a), side_of(team, b)};
    f.why = {because(reason, words...)};
    f.fix = remedy(Cure::all_reach);
    if (reason == Reason::lanes_left) name_return(f);
    return f;
  });
}

bool same_site(LaneStand const& a, LaneStand const& b) {
  return a.status == b.status && a.meeting == b.meeting && (a.site == b.site || same_place(a.site, b.site));
}

}  // namespace
}  // namespace teamsan::detect

namespace teamsan::events {

using namespace detect;

bool team_waits(Team& team) {
  RuntimeScope const scope;
  std::optional<LaneStand> first, other, ended;
  std::uint32_t waiting = 0, elsewhere = 0, gone = 0;
  for (std::uint32_t i = 0; i != team.lane_count(); ++i) {
    LaneStand const l = team.stand(i);
    if (l.status == LaneStatus::done) {
      ++gone;
      if (!ended) ended = l;
    } else if (!first) {
      first = l;
      ++waiting;
    } else if (same_site(*first, l)) {
      ++waiting;
    } else {
      ++elsewhere;
      if (!other) other = l;
    }
  }
  if (!first || (elsewhere == 0 && gone == 0)) return true;
  if (elsewhere == 0 && gone == team.checks().threw) return false;  // that an exception ended them is told
  if (elsewhere != 0)
    diverged(team, *first, *other, Reason::lanes_at_two_places, waiting, team.lane_count(), elsewhere);
  else
    diverged(team, *first, *ended, Reason::lanes_left, waiting, team.lane_count(), gone);
  return false;
}

bool thread_waits(Team& team, std::uint32_t thread) {
  std::uint32_t const width = team.vector_length();
  LaneStand const first = team.stand(thread * width);
  for (std::uint32_t i = 1; i != width; ++i) {
    LaneStand const l = team.stand(thread * width + i);
    if (l.site == first.site && l.meeting == first.meeting) continue;
    RuntimeScope const scope;
    if (same_site(first, l)) continue;
    diverged(team, first, l, Reason::thread_at_two_places);
    return false;
  }
  return true;
}

void thread_apart(Team& team, std::uint32_t thread) {
  RuntimeScope const scope;
  std::uint32_t const width = team.vector_length();
  std::optional<LaneStand> waits, missing;
  for (std::uint32_t i = 0; i != width; ++i) {
    LaneStand const l = team.stand(thread * width + i);
    if (l.status == LaneStatus::at_thread_meeting) {
      if (!waits) waits = l;
    } else if (!missing) {
      missing = l;
    }
  }
  if (waits && missing)
    diverged(team, *waits, *missing, Reason::lane_cannot_come);
}

void stuck(Team& team) {
  if (!is_told(team, Rule::deadlock)) return;
  RuntimeScope const scope;
  RawFinding f;
  f.rule = Rule::deadlock;
  f.title = "a lane spins and no other lane can end it";
  std::optional<LaneStand> spinning, waiting;
  std::uint32_t spinners = 0, waiters = 0;
  for (std::uint32_t i = 0; i != team.lane_count(); ++i) {
    LaneStand const l = team.stand(i);
    if (l.status == LaneStatus::ready) {
      ++spinners;
      if (!spinning) spinning = l;
    } else if (l.status == LaneStatus::at_team_meeting || l.status == LaneStatus::at_thread_meeting) {
      ++waiters;
      if (!waiting) waiting = l;
    }
  }
  if (spinning) {
    RawSide side = side_of(team, *spinning);
    side.role = "repeats the same accesses";
    side.site = spinning->site;
    f.sides.push_back(std::move(side));
  }
  if (waiting) f.sides.push_back(side_of(team, *waiting));
  f.why = {because(Reason::none_got_on, counted(spinners, "lane"), spinners == 1 ? "spins" : "spin", waiters,
                   waiters == 1 ? "waits" : "wait", with_commas(options().spin_limit)),
           because(Reason::spin_limit)};
  f.fix = remedy(Cure::change_what_is_waited_for);
  auto const site = [&](std::size_t side) { return side < f.sides.size() ? f.sides[side].site : Site{}; };
  Key const key{f.rule, site(0), site(1), 0};
  add_finding(team, key, [&] { return std::move(f); });
}

}  // namespace teamsan::events
