// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamScheduler.hpp"

#include <algorithm>
#include <utility>

namespace teamsan {

TeamScheduler::TeamScheduler(Rules rules)
    : m_rules(std::move(rules)),
      m_most(std::clamp<std::uint64_t>(m_rules.resident, group, arena::all_scratch_slots)),
      m_waiting(m_rules.workers) {}

void TeamScheduler::hand_out_runs() {
  if (m_rules.workers > 1 && !reorders()) m_runs = std::vector<Run>(m_rules.workers);
}

/// A worker takes longer runs until one takes a while: of what lies behind a crash, it goes on with as much.
bool TeamScheduler::take_run(Run& run) {
  using namespace std::chrono_literals;
  auto const now = std::chrono::steady_clock::now();
  if (run.end != 0) run.length = now - run.begun < 20ms ? std::min(2 * run.length, longest_run) : (run.length + 1) / 2;
  run.begun = now;
  for (std::uint64_t next = m_next.load(); next < m_rules.league_size;) {
    std::uint64_t const fair = std::max<std::uint64_t>((m_rules.league_size - next) / (2 * m_rules.workers), 1);
    std::uint64_t const end = next + std::min(run.length, fair);
    if (!m_next.compare_exchange_weak(next, end)) continue;
    run.end = end;
    run.next = next;
    return true;
  }
  return false;
}

bool TeamScheduler::stays_with_its_own(unsigned worker) {
  Waiting& waiting = m_waiting[worker];
  if (std::uint64_t const done = ended(); std::exchange(waiting.done, done) != done)
    waiting.turns = waiting.turns_in_all = 0;
  return ++waiting.turns <= most_turns && ++waiting.turns_in_all <= most_turns_in_all && others_get_on(worker);
}

void TeamScheduler::wait_in_vain(unsigned worker, bool vain) {
  if (std::exchange(m_waiting[worker].in_vain, vain) == vain) return;
  if (vain) {
    m_in_vain.fetch_add(1);
    wake();  // those that sleep may get on by now
  } else {
    m_in_vain.fetch_sub(1);
  }
}

/// That each worker waits once is no sign: all may wait for what the first team does for them.
void TeamScheduler::waits_for_others(unsigned worker) {
  if (!m_rules.may_go_on_alone || m_rules.workers <= 1 || m_alone || std::exchange(m_waiting[worker].has_waited, true)) return;
  std::lock_guard const lock(m_alone_mutex);
  std::uint64_t const done = ended();
  m_waits -= std::min(m_waits, (done - std::exchange(m_done_by_then, done)) / done_for_each_wait);
  if (++m_waits > m_rules.workers) m_alone = true;
}

void TeamScheduler::sleep(std::chrono::steady_clock::duration time) {
  std::unique_lock lock(m_alone_mutex);
  m_sleepers.wait_for(lock, time);
}

void TeamScheduler::wake() {
  if (!m_alone) return;
  std::lock_guard const lock(m_alone_mutex);
  m_sleepers.notify_all();
}

void TeamScheduler::give_run_back(Run& run) {
  if (run.next != run.end) m_given_back.emplace(run.next.load(), run.end.load());
  run.next = run.end.load();
}

/// Those that no worker has been given.
bool TeamScheduler::take_to_give_back(unsigned worker) {
  if (!m_runs.empty()) {
    bool const taken = take_run(m_runs[worker]);
    give_run_back(m_runs[worker]);
    return taken;
  }
  std::uint64_t next = m_next.load();
  while (next < m_rules.league_size && !m_next.compare_exchange_weak(next, next + 1)) {
  }
  if (next < m_rules.league_size) m_given_back.emplace(next, next + 1);
  return next < m_rules.league_size;
}

/// The first team that has not begun is begun by who has none before it. Others need not wait for that, if they have none at
/// all: whoever has the one that comes first stays.
TeamScheduler::Claim TeamScheduler::claim_alone(Place& place, Spinning const& spinning, unsigned worker) {
  std::lock_guard const lock(m_alone_mutex);
  if (!m_runs.empty()) give_run_back(m_runs[worker]);
  if (m_given_back.empty() && !take_to_give_back(worker)) return Claim::none;
  auto const [rank, end] = *m_given_back.begin();
  m_first_given_back = rank;
  bool others_first = false;
  for (std::size_t other = 0; other != m_waiting.size(); ++other)
    others_first = others_first || (other != worker && m_waiting[other].first < rank);
  if (others_first && spinning.teams == 0) return Claim::none;
  // What those of its own that have begun wait for may be about to be done by others, if they have come so far.
  bool const get_on = others_get_on(worker), each_had_turns = m_waiting[worker].turns > 2 * spinning.teams + 2;
  bool const patient = !may_have_begun(rank) || spinning.least_spun <= long_wait || !each_had_turns;
  if (spinning.teams != 0 && (patient || (others_first && get_on))) return Claim::busy;
  Claim const claim = begin(place, rank, worker);
  if (claim != Claim::team) return claim;
  m_given_back.erase(m_given_back.begin());
  if (rank + 1 != end) m_given_back.emplace(rank + 1, end);
  m_first_given_back = m_given_back.empty() ? no_team : m_given_back.begin()->first;
  return claim;
}

/// In any slot: teams of such a league use no scratch. Each worker begins to look at slots of its own.
TeamScheduler::Claim TeamScheduler::begin(Place& place, std::uint64_t rank, unsigned worker) {
  for (std::uint32_t i = 0; i != arena::all_scratch_slots; ++i) {
    std::uint32_t const slot = (worker * slots_on_a_line + i) % arena::all_scratch_slots;
    if (m_taken[slot] || !take(slot)) continue;
    place = {rank, slot};
    m_waiting[worker].first = std::min(m_waiting[worker].first.load(), rank);
    m_waiting[worker].begun.fetch_add(1);
    return Claim::team;
  }
  return Claim::busy;
}

TeamScheduler::Claim TeamScheduler::claim_of_run(Place& place, Spinning const& spinning, unsigned worker) {
  Run& run = m_runs[worker];
  if (run.next == run.end && !take_run(run)) return Claim::none;
  // A worker none of whose teams waits begins the next one in any case: it may be the one that all others wait for.
  auto const patient = [&] { return !may_have_begun(run.next) || spinning.least_spun <= long_wait; };
  if (spinning.teams != 0 && in_flight() >= group && patient()) return Claim::busy;
  Claim const claim = begin(place, run.next, worker);
  if (claim == Claim::team) ++run.next;
  return claim;
}

TeamScheduler::Claim TeamScheduler::claim(Place& place, Spinning const& spinning, unsigned worker) {
  if (spinning.teams != 0 && stays_with_its_own(worker)) return Claim::busy;
  if (m_alone) return claim_alone(place, spinning, worker);
  if (!m_runs.empty()) return claim_of_run(place, spinning, worker);
  for (;;) {
    std::uint64_t turn = m_next.load();
    if (turn >= m_rules.league_size) return Claim::none;
    std::uint64_t const rank = rank_of(turn);
    std::uint32_t slot = scratch_slots::of_team(rank);
    // One that has teams which wait begins more than a few beside all others' only once they have waited for long.
    bool const may_be_more = spinning.teams != 0 && has_room() && spinning.least_spun > long_wait;
    if (spinning.teams != 0 && in_flight() >= group && !may_be_more) return Claim::busy;
    if (finds_no_room(turn) || !take(slot)) {
      if (!may_be_more) return Claim::busy;
      slot = scratch_slots::beside(rank);
      if (!take(slot)) return Claim::busy;
    }
    if (m_next.compare_exchange_strong(turn, turn + 1)) {
      m_waiting[worker].first = std::min(m_waiting[worker].first.load(), rank);
      m_waiting[worker].begun.fetch_add(1);
      place = {rank, slot};
      return Claim::team;
    }
    free_slot(slot);
  }
}

std::uint64_t TeamScheduler::rank_of(std::uint64_t turn) const {
  if (m_rules.order.empty()) return turn;
  std::uint64_t const first = turn - turn % group;
  std::uint64_t const here = std::min<std::uint64_t>(m_rules.league_size - first, m_rules.order.size());
  std::uint64_t place = turn - first;
  for (std::uint32_t const rank : m_rules.order)
    if (rank < here && place-- == 0) return first + rank;
  return turn;
}

/// Many teams share the patience that there is for four.
std::uint64_t TeamScheduler::spin_limit() const {
  constexpr std::uint64_t shared_by = 4;
  return m_rules.spin_limit / std::max(in_flight(), shared_by) * shared_by;
}

bool TeamScheduler::hopeless(unsigned worker, bool finished, Spinning const& spinning, Watch& watch) {
  if (finished || spinning.least_spun <= spin_limit())
    got_on(worker);
  else
    m_waiting[worker].teams = spinning.teams;
  m_waiting[worker].rounds.fetch_add(1);
  return !finished && nobody_gets_on(watch);
}

void TeamScheduler::got_on(unsigned worker) {
  if (m_waiting[worker].teams.exchange(0) != 0) m_got_on.fetch_add(1);
}

bool TeamScheduler::may_begin_more() const {
  if (begun() == m_rules.league_size) return false;
  if (m_runs.empty() && !m_alone) return has_room();
  if (may_have_begun(m_next) || may_have_begun(m_first_given_back)) return true;
  return std::any_of(m_runs.begin(), m_runs.end(),
                     [&](Run const& run) { return run.next != run.end && may_have_begun(run.next); });
}

/// Every team that is not done has spun for long, no other may begin, and since that was first seen by the caller each of
/// them had another turn in which nothing changed.
bool TeamScheduler::nobody_gets_on(Watch& watch) const {
  std::vector<std::uint64_t>& until = watch.m_until;
  std::uint64_t const changes = this->changes();
  if (watch.m_changes != changes) until.clear();
  watch.m_changes = changes;
  std::uint64_t teams = 0;
  for (Waiting const& w : m_waiting) teams += w.teams;
  if (may_begin_more() || teams != in_flight()) {
    until.clear();
    return false;
  }
  if (until.empty())
    for (Waiting const& w : m_waiting) until.push_back(w.rounds + w.teams + 1);
  for (std::size_t i = 0; i != until.size(); ++i)
    if (m_waiting[i].teams != 0 && m_waiting[i].rounds < until[i]) return false;
  until.clear();
  return this->changes() == changes;
}

}  // namespace teamsan
