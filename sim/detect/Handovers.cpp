#include <teamsan/sim/detect/Handovers.hpp>

#include <teamsan/sim/base/Arena.hpp>
#include <teamsan/sim/detect/Checker.hpp>
#include <teamsan/sim/detect/LaunchChecks.hpp>
#include <teamsan/sim/detect/TeamOrder.hpp>
#include <teamsan/sim/machine/Team.hpp>
#include <teamsan/sim/places/Modules.hpp>
#include <teamsan/sim/places/Symbolizer.hpp>
#include <teamsan/sim/trace/TeamTrace.hpp>

#include <fmt/format.h>

#include <utility>

namespace teamsan::detect {

namespace {

using Atomic = HandoverLog::Atomic;

/// Does the access lie before this atomic of its team's?
bool lies_before(HandedAccess const& access, Atomic const& atomic, std::uint32_t vector_length) {
  if (access.lane == atomic.lane) return access.tick <= atomic.tick;
  if (access.lane / vector_length == atomic.lane / vector_length && access.tick < atomic.thread_met) return true;
  return access.tick < atomic.team_met;
}

bool lies_behind(HandedAccess const& access, Atomic const& atomic, std::uint32_t vector_length) {
  if (access.lane / vector_length == atomic.lane / vector_length) return access.tick > atomic.tick;
  return access.tick >= atomic.team_next;
}

/// A number for the question whether the one team's atomic was seen by the other's, 63 bits, and none of AtomicOrder's.
std::uint64_t question(std::uint64_t by_team, std::size_t by, std::uint64_t to_team, std::size_t to) {
  std::uint64_t hash = 0x68616e646f766572u;
  for (std::uint64_t const part : {by_team, std::uint64_t{by}, to_team, std::uint64_t{to}}) {
    hash = (hash ^ part) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash >> 1;
}

Handover handover_of(HandedAccess const& earlier, Atomic const& by, Atomic const& to) {
  std::uintptr_t const pc = full_pc(by.pc);
  return {pc, full_pc(to.pc), earlier.atomic && earlier.pc == pc};
}

void add(Team& team, HandoverDeed deed, Atomic&& atomic) {
  if (deed.by_volatile && team.sync() == Sync::portable) return;
  HandoverLog& log = team.checks().found->handovers;
  AtomicOrder::Standing const at = team.begin_moment();
  atomic.lane = at.lane;
  atomic.tick = at.tick - 1;
  atomic.thread_met = at.thread_met;
  atomic.team_met = at.team_met;
  atomic.team_next = HandoverLog::never;
  atomic.changes = deed.changes;
  atomic.sees = deed.sees;
  log.atomics.push_back(atomic);
  team.due().barrier = true;
}

}  // namespace

void Handovers::keep(std::uint64_t league_rank, HandoverLog&& log) {
  if (!m_on || log.atomics.empty()) return;
  if (m_lacks || m_kept + log.atomics.size() > most) {
    m_lacks = true;
    m_full.store(true, std::memory_order_relaxed);
    return;
  }
  m_kept += log.atomics.size();
  m_teams[league_rank].atomics = std::move(log.atomics);
}

std::optional<Handover> Handovers::find(HandedAccess const& earlier, HandedAccess const& later, Verdicts* verdicts,
                                        Verdicts const* recorded) {
  if (earlier.tick >= AtomicOrder::unknown_tick || later.tick >= AtomicOrder::unknown_tick) return {};
  auto const by_team = m_teams.find(earlier.team), to_team = m_teams.find(later.team);
  if (by_team == m_teams.end() || to_team == m_teams.end()) return {};
  std::vector<Atomic> const& by = by_team->second.atomics;
  std::vector<Atomic> const& to = to_team->second.atomics;
  auto& changes = by_team->second.changes;
  if (changes.empty())
    for (std::size_t i = 0; i != by.size(); ++i)
      if (by[i].changes) changes.emplace(by[i].address, i);
  for (std::size_t t = to.size(); t-- != 0;) {
    if (m_steps >= most_steps) {
      m_lacks = true;
      return {};
    }
    ++m_steps;
    if (!to[t].sees || !lies_behind(later, to[t], m_vector_length)) continue;
    auto const [begin, end] = changes.equal_range(to[t].address);
    std::size_t found = by.size();
    for (auto it = begin; it != end; ++it) {
      ++m_steps;
      if (it->second >= found || !lies_before(earlier, by[it->second], m_vector_length)) continue;
      std::uint64_t const asked = question(earlier.team, it->second, later.team, t);
      bool const seen = recorded != nullptr ? recorded->contains(asked)
                                            : by[it->second].changed != 0 && by[it->second].changed < to[t].seen;
      if (!seen) continue;
      if (verdicts != nullptr) verdicts->emplace(asked, true);
      found = it->second;
    }
    if (found != by.size() && gives_value_back(full_pc(to[t].pc))) return handover_of(earlier, by[found], to[t]);
  }
  return {};
}

std::optional<Handover> Handovers::told_before(HandedAccess const& earlier, HandedAccess const& later,
                                               std::uint64_t data) const {
  if (!m_lacks) return {};
  auto const found = m_told.find({earlier.pc, later.pc, data});
  if (found == m_told.end()) return {};
  return found->second;
}

void Handovers::tell(HandedAccess const& earlier, HandedAccess const& later, std::uint64_t data,
                     Handover const& handover) {
  m_told.try_emplace({earlier.pc, later.pc, data}, handover);
}

bool notes_handover(Team& team, std::uintptr_t address) {
  LaunchChecks* const launch = team.launch().checks;
  if (launch == nullptr || !launch->handovers().on() || !arena::contains(arena::global, arena::global_bytes, address))
    return false;
  HandoverLog& log = team.checks().found->handovers;
  if (log.atomics.size() >= HandoverLog::most || !team.checked()) return false;
  if (log.lanes.empty()) log.lanes.resize(team.lane_count());
  return log.lanes[hot.lane->lane.index].count != HandoverLog::most_of_lane;
}

void about_to_hand_over(Team& team, std::uintptr_t address) {
  if (notes_handover(team, address)) team.checks().found->handovers.next_change = team.launch().checks->handovers().count();
}

void note_handover(Team& team, std::uintptr_t address, std::uintptr_t pc, HandoverDeed deed, std::uint64_t value) {
  HandoverLog& log = team.checks().found->handovers;
  std::uint64_t const changed = std::exchange(log.next_change, 0);
  if (!notes_handover(team, address) || (deed.changes && changed == 0)) return;
  HandoverLog::OfLane& lane = log.lanes[hot.lane->lane.index];
  // One that waits sees the same again and again.
  if (!deed.changes && lane.polls && lane.address == address && lane.value == value) return;
  lane = {static_cast<std::uint8_t>(lane.count + 1), !deed.changes, address, value};
  trace::note(trace::EventKind::handover, pc, address, deed.packed());
  add(team, deed, {address, deed.changes ? changed : 0, deed.sees ? team.launch().checks->handovers().count() : 0,
             static_cast<std::uint32_t>(pc), 0, 0, 0, 0, 0, false, false});
}

void note_handover_again(Team& team, std::uintptr_t address, std::uintptr_t pc, HandoverDeed deed) {
  if (team.checks().found->handovers.atomics.size() < HandoverLog::most)
    add(team, deed, {address, 0, 0, static_cast<std::uint32_t>(pc), 0, 0, 0, 0, 0, false, false});
}

void handover_barrier(HandoverLog& log, std::uint32_t tick) {
  for (; log.open != log.atomics.size(); ++log.open) log.atomics[log.open].team_next = tick;
}

std::optional<Handover> find_handover(Team& team, HandedAccess const& earlier) {
  HandoverLog& log = team.checks().found->handovers;
  std::vector<Atomic> const& atomics = log.atomics;
  if (atomics.empty()) return {};
  std::uint32_t const width = team.launch().facts.config.vector_length;
  HandedAccess const now{0, who::lane(hot.me), hot.me >> who::stamp_shift, 0, false};
  // The latest that it saw, then the first behind the access: a lane's are few, and a team's are bounded.
  for (std::size_t to = atomics.size(); to-- != 0;) {
    if (!atomics[to].sees || !lies_behind(now, atomics[to], width)) continue;
    for (std::size_t by = 0; by != to; ++by) {
      Atomic const& a = atomics[by];
      if (++log.steps > HandoverLog::most_steps) return {};
      if (!a.changes || a.address != atomics[to].address || a.lane == atomics[to].lane ||
          !lies_before(earlier, a, width))
        continue;
      if (gives_value_back(full_pc(atomics[to].pc))) return handover_of(earlier, a, atomics[to]);
      break;
    }
  }
  return {};
}

void make_unfenced_handover(RawFinding& f, Handover const& handover, bool teams) {
  f.rule = Rule::unfenced_handover;
  f.title = fmt::format("{}/{} hand-over of device memory {} without a release", verb(f.sides[0].access),
                        verb(f.sides[1].access), teams ? "between teams" : "between lanes of a team");
  std::string const by = to_string(user_place(handover.by)), to = to_string(user_place(handover.to));
  f.why = {fmt::format("the second lane's atomic at {} saw what the first lane's atomic at {} left", to, by),
           handover.by_itself
               ? "but no fence lies before that atomic, and it has no release order: nothing is ordered by it"
               : "but no fence lies between the first access and that atomic, and it has no release order: the second lane may "
                 "see the atomic before what it announces"};
  f.fix = handover.by_itself
              ? fmt::format("put Kokkos::memory_fence() before the atomic at {}, and another one behind the atomic at {}", by, to)
              : fmt::format("put Kokkos::memory_fence() between {{first}} and the atomic at {}; {{second}} needs one behind the "
                            "atomic at {} as well",
                            by, to);
}

void for_each_tick(HandoverLog& log, std::function<void(std::uint32_t&)> const& f) {
  for (Atomic& a : log.atomics)
    for (std::uint32_t* const tick : {&a.tick, &a.thread_met, &a.team_met, &a.team_next})
      if (*tick != 0 && *tick != HandoverLog::never) f(*tick);
}

}  // namespace teamsan::detect
