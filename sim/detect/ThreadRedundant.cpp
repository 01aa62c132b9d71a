// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ThreadRedundant.hpp"

#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "Checker.hpp"
#include "LaunchChecks.hpp"
#include "TeamOrder.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/LaneResults.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/TeamTrace.hpp"

#include <algorithm>
#include <cstring>
#include <string>

namespace teamsan::detect {

namespace {

constexpr std::uint32_t no_scope_but_a_single = ~(1u << static_cast<unsigned>(Scope::single_per_thread));

/// Does the atomic give its thread a value, or does something of Kokkos' that it is part of, such as a map or a pool?
bool gives_thread_a_value(Site site) {
  RuntimeScope const scope;
  Frame const* outermost = nullptr;
  for (Frame const& frame : frames_of(site)) {
    if (!frame.internal) break;
    outermost = &frame;
  }
  return (outermost != nullptr && outermost->function.find("atomic_") == std::string::npos) || gives_value_back(site);
}

/// Is it what a collective has left for the lane, in a variable of its own or in scratch? A struct's members count each.
bool is_by_a_result(Team const& team, std::uint32_t bytes, Change const& change) {
  for (auto const& [address, size] : team.results().places()) {
    if (size < 4 || (!hot.lane->stack.owns(address, size) && address - hot.scratch_begin >= hot.scratch_bytes)) continue;
    for (std::uint32_t const part : {4u, 8u}) {
      constexpr std::size_t most_bytes = 64;
      if (size % part != 0 || (size == 8 && part == 4)) continue;
      for (std::size_t at = 0; at + part <= std::min(size, most_bytes); at += part) {
        std::uint64_t number = 0;
        std::memcpy(&number, reinterpret_cast<void const*>(address + at), part);
        if (is_amount(bytes, change, part, number)) return true;
      }
    }
  }
  return false;
}

}  // namespace

bool ThreadRedundant::gives_value(Site site) {
  auto const [gives, fresh] = m_gives_values.try_emplace(site, false);
  if (fresh) gives->second = gives_thread_a_value(site);
  if (gives->second) hot.lane->holds |= holds::thread_value;
  return gives->second;
}

void ThreadRedundant::note(Team& team, std::uintptr_t address, std::uint32_t bytes, Change const& change, Site site) {
  RunningLane const& state = *hot.lane;
  if ((state.scopes & no_scope_but_a_single) || (state.holds & holds::thread_value) || !team.checked() ||
      !options().enabled(Rule::lane_redundant))
    return;
  // Whichever shard judges the element.
  if (gives_value(site) || !(state.holds & holds::result) || is_count(bytes, change)) return;
  // A replay has no variables, and of a lane's updates those alone that passed.
  if (team.launch().script == nullptr && !is_by_a_result(team, bytes, change)) return;
  bool const scratch = address - hot.scratch_begin < hot.scratch_bytes;
  if (!scratch && (!arena::contains(arena::global, arena::global_bytes, address) || !shard.judges(address))) return;
  RuntimeScope const scope;
  trace::note(trace::EventKind::before, site, change.before);
  trace::note(trace::EventKind::after, site, change.after);
  Key const key{address, site};
  if (m_updates.size() >= most_updates && !m_updates.contains(key)) {
    team.launch().checks->not_judged().add(Shortfall::updates, team.league_rank());
    return;
  }
  Lane const& lane = state.lane;
  Update& update = m_updates[key];
  update.threads.resize(lane.team_size);
  if (update.threads[lane.thread]) return;
  if (update.count == 0)
    update.first = change;
  else
    update.alike = update.alike && same_amount(bytes, update.first, change) && change.before != update.first.before;
  update.threads[lane.thread] = true;
  if (++update.count != lane.team_size || !update.alike) return;
  Target const target{scratch, address, nullptr};
  add_finding(team, {Rule::lane_redundant, site, Site{}, data_id(team, target)}, [&] {
    RawFinding f;
    f.rule = Rule::lane_redundant;
    f.severity = Severity::warning;
    f.title = "the same atomic update by every thread of a team";
    f.data = describe(team, target, bytes);
    f.sides.push_back(running_side(team, {address, bytes, AccessKind::atomic_write, site}));
    f.why = {because(Reason::repeated_by_threads, lane.team_size)};
    f.fix = remedy(Cure::single_of_team);
    return f;
  });
}

void note_repeatable_update(Team& team, std::uintptr_t address, std::uint32_t bytes, std::uint64_t before, std::uint64_t after,
                            Site site) {
  Lane const& lane = hot.lane->lane;
  bool const one_lane = (hot.lane->scopes & ~no_scope_but_a_single) != 0;
  if (lane.vector_length != 1 && !one_lane) {
    team.checks().thread_redundant.gives_value(site);
    team.checks().lane_redundant.note(team, address, bytes, before, after, site);
  } else if (lane.team_size != 1) {
    team.checks().thread_redundant.note(team, address, bytes, {before, after}, site);
  }
}

}  // namespace teamsan::detect
