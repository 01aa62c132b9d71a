// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Handovers.hpp"

#include "../base/MemoryName.hpp"
#include "Checker.hpp"
#include "GlobalRace.hpp"
#include "LaunchChecks.hpp"
#include "TeamOrder.hpp"
#include "../findings/Sentences.hpp"
#include "../machine/Team.hpp"
#include "../places/Symbolizer.hpp"
#include "../trace/TeamTrace.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
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
  Site const site = by.site;
  return {site, to.site, earlier.atomic && earlier.site == site};
}

/// Does a lane that is neither of the two change the word?
bool is_changed_by_more(std::vector<Atomic> const& atomics, Atomic const& by, Atomic const& to) {
  return std::ranges::any_of(atomics, [&](Atomic const& a) {
    return a.changes && a.address == by.address && a.lane != by.lane && a.lane != to.lane;
  });
}

/// Of the atomic's word, by another lane than the atomic's: the number of the first change behind an access. The number behind
/// all: there is none.
std::size_t first_change(std::vector<Atomic> const& atomics, HandedAccess const& earlier, Atomic const& to,
                         std::uint32_t vector_length) {
  auto const found = std::ranges::find_if(atomics, [&](Atomic const& a) {
    return a.changes && a.address == to.address && a.lane != to.lane && lies_before(earlier, a, vector_length);
  });
  return static_cast<std::size_t>(found - atomics.begin());
}

/// The same for all words at once: of each the first change behind an access, and the first by another lane than that one's.
class FirstChanges {
 public:
  FirstChanges(std::vector<Atomic> const& atomics, HandedAccess const& earlier, std::uint32_t vector_length)
      : m_atomics(atomics) {
    for (std::size_t i = 0; i != atomics.size(); ++i) {
      Atomic const& a = atomics[i];
      if (!a.changes || !lies_before(earlier, a, vector_length)) continue;
      auto const [word, fresh] = m_words.try_emplace(a.address, Word{i, none});
      if (!fresh && word->second.of_another == none && atomics[word->second.first].lane != a.lane) word->second.of_another = i;
    }
  }
  /// As first_change says.
  std::size_t of(Atomic const& atomic) const {
    auto const word = m_words.find(atomic.address);
    if (word == m_words.end()) return none;
    return m_atomics[word->second.first].lane != atomic.lane ? word->second.first : word->second.of_another;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct Word {
    std::size_t first, of_another;
  };
  std::vector<Atomic> const& m_atomics;
  std::unordered_map<std::uintptr_t, Word> m_words;
};

/// Is there room, and does anyone ask? The lane is not asked again if not.
bool begins(Team& team, HandoverLog& log) {
  if (log.launch == nullptr) {
    LaunchChecks* const launch = team.launch().checks;
    if (launch != nullptr && launch->handovers().on() && team.checked()) log.launch = &launch->handovers();
  }
  if (log.launch != nullptr && log.atomics.size() < HandoverLog::most) return true;
  hot.lane->noted = HandoverLog::most_of_lane;
  return false;
}

void add(Team& team, HandoverLog& log, std::uintptr_t address, Site site, HandoverDeed deed, std::uint64_t changed,
         std::uint64_t seen) {
  if (deed.by_volatile && team.sync() == Sync::portable) return;
  AtomicOrder::Standing const at = team.begin_moment();
  log.atomics.push_back({address, changed, seen, site, at.lane, at.tick - 1, at.thread_met,
                         at.team_met, HandoverLog::never, deed.changes, deed.sees});
  team.due().barrier = true;
}

/// What is there now, the first 8 bytes at most.
std::uint64_t value_at(VolatileLoad const& load) {
  auto const at = [&]<class T>(T) -> std::uint64_t {
    return __atomic_load_n(reinterpret_cast<T const*>(load.address), __ATOMIC_RELAXED);
  };
  switch (load.log_bytes) {
    case 0:
      return at(std::uint8_t{});
    case 1:
      return at(std::uint16_t{});
    case 2:
      return at(std::uint32_t{});
    default:
      return at(std::uint64_t{});
  }
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

std::map<std::uintptr_t, Site> Handovers::locks_of(std::uint64_t team, std::uint32_t lane) const {
  std::map<std::uintptr_t, Site> locks;
  if (auto const found = m_teams.find(team); found != m_teams.end())
    for (Atomic const& a : found->second.atomics)
      if (a.lane == lane && a.changes && a.sees && takes_lock(a.site)) locks.emplace(a.address, a.site);
  return locks;
}

bool Handovers::tried(std::uint64_t team, std::uint32_t lane, std::uintptr_t lock) const {
  auto const found = m_teams.find(team);
  return found != m_teams.end() && std::ranges::any_of(found->second.atomics, [&](Atomic const& a) {
    return a.lane == lane && a.address == lock && a.sees && takes_lock(a.site);
  });
}

bool Handovers::is_changed(std::uintptr_t address) const {
  return std::ranges::any_of(m_teams, [&](auto const& team) {
    return std::ranges::any_of(team.second.atomics, [&](Atomic const& a) { return a.changes && a.address == address; });
  });
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
      bool const seen =
          recorded != nullptr ? recorded->contains(asked) : by[it->second].changed != 0 && by[it->second].changed < to[t].seen;
      if (!seen) continue;
      if (verdicts != nullptr) verdicts->emplace(asked, true);
      found = it->second;
    }
    if (found == by.size() || !gives_value_back(to[t].site)) continue;
    Handover handover = handover_of(earlier, by[found], to[t]);
    handover.of_word =
        handover.by_itself && (is_changed_by_more(by, by[found], by[found]) || is_changed_by_more(to, to[t], to[t]));
    return handover;
  }
  return {};
}

std::optional<Handover> Handovers::told_before(HandedAccess const& earlier, HandedAccess const& later,
                                               std::uint64_t data) const {
  if (!m_lacks) return {};
  auto const found = m_told.find({earlier.site, later.site, data});
  if (found == m_told.end()) return {};
  return found->second;
}

void Handovers::tell(HandedAccess const& earlier, HandedAccess const& later, std::uint64_t data, Handover const& handover) {
  m_told.try_emplace({earlier.site, later.site, data}, handover);
}

void about_to_hand_over(Team& team) {
  HandoverLog& log = team.checks().found->handovers;
  if (begins(team, log)) log.next_change = log.launch->count();
}

void note_handover(Team& team, std::uintptr_t address, Site site, HandoverDeed deed, std::uint64_t value) {
  HandoverLog& log = team.checks().found->handovers;
  std::uint64_t const changed = std::exchange(log.next_change, 0);
  if (!begins(team, log) || (deed.changes && changed == 0)) return;
  std::uint32_t const lane = hot.lane->lane.index;
  if (!deed.changes) {
    // One that waits sees the same again and again.
    if (log.polled.empty()) log.polled.resize(team.lane_count());
    HandoverLog::Polled const now{address, value};
    if (std::exchange(log.polled[lane], now) == now) return;
  } else if (!log.polled.empty()) {
    log.polled[lane] = {};
  }
  ++hot.lane->noted;
  trace::note(trace::EventKind::handover, site, address, deed.packed());
  add(team, log, address, site, deed, deed.changes ? changed : 0, deed.sees ? log.launch->count() : 0);
}

void note_volatile_load(Team& team, VolatileLoad const& load) {
  if (!may_hand_over(load.address)) return;
  std::uint64_t const value = value_at(load);  // may crash, as the program's own access does next
  RuntimeScope const scope;
  note_handover(team, load.address, load.site, {false, true, true}, value);
}

void note_handover_again(Team& team, std::uintptr_t address, Site site, HandoverDeed deed) {
  HandoverLog& log = team.checks().found->handovers;
  if (log.atomics.size() < HandoverLog::most) add(team, log, address, site, deed, 0, 0);
}

void handover_barrier(HandoverLog& log, std::uint32_t tick) {
  for (; log.open != log.atomics.size(); ++log.open) log.atomics[log.open].team_next = tick;
}

std::optional<Handover> find_handover(Team& team, HandedAccess const& earlier) {
  HandoverLog& log = team.checks().found->handovers;
  std::vector<Atomic> const& atomics = log.atomics;
  if (atomics.empty()) return {};
  std::uint32_t const width = team.launch().facts.config.vector_length;
  HandedAccess const now{0, who::lane(hot.me), hot.me >> who::stamp_shift, Site{}, false};
  auto const sees = [&](Atomic const& a) { return a.sees && lies_behind(now, a, width); };
  // The latest that it saw, then the first behind the access. Mostly that is soon found.
  constexpr unsigned looks_by_themselves = 4;
  std::optional<FirstChanges> changes;
  unsigned looks = 0;
  for (std::size_t to = atomics.size(); to-- != 0;) {
    if (!sees(atomics[to])) continue;
    if (log.steps > HandoverLog::most_steps) return {};
    if (++looks == looks_by_themselves + 1) {
      changes.emplace(atomics, earlier, width);
      log.steps += atomics.size();
    }
    std::size_t const by = changes ? changes->of(atomics[to]) : first_change(atomics, earlier, atomics[to], width);
    log.steps += changes ? 1 : std::min(by + 1, atomics.size());
    if (by >= to || !gives_value_back(atomics[to].site)) continue;
    Handover handover = handover_of(earlier, atomics[by], atomics[to]);
    handover.of_word = handover.by_itself && is_changed_by_more(atomics, atomics[by], atomics[to]);
    return handover;
  }
  return {};
}

void make_unfenced_handover(RawFinding& f, Handover const& handover, Between between) {
  char const* const who = between == Between::teams        ? "between teams"
                          : between == Between::iterations ? "between iterations"
                                                           : "between lanes of a team";
  f.rule = Rule::unfenced_handover;
  f.title = fmt::format("{}/{} hand-over of {} {} without a release", verb(f.sides[0].access), verb(f.sides[1].access),
                        memory_name(f.data.address), who);
  CodePlace const by{handover.by, true}, to{handover.to, true};
  f.why = {because(Reason::atomic_saw_atomic, to, by),
           because(handover.by_itself ? Reason::atomic_releases_nothing : Reason::no_fence_between)};
  f.fix = remedy(handover.by_itself ? Cure::fence_by_itself : Cure::fence_between, by, to);
}

void for_each_tick(HandoverLog& log, std::function<void(std::uint32_t&)> const& f) {
  for (Atomic& a : log.atomics)
    for (std::uint32_t* const tick : {&a.tick, &a.thread_met, &a.team_met, &a.team_next})
      if (*tick != 0 && *tick != HandoverLog::never) f(*tick);
}

}  // namespace teamsan::detect

namespace teamsan::events {

using namespace detect;

void barrier_passed(Team& team, std::uint32_t tick) {
  handover_barrier(team.checks().found->handovers, tick);
  team.due().barrier = false;
}

void volatile_load_made(Team& team, VolatileLoad const& load) { note_volatile_load(team, load); }

}  // namespace teamsan::events
