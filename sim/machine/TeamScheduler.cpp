// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamScheduler.hpp"

#include <algorithm>
#include <utility>

namespace teamsan {

TeamScheduler::TeamScheduler(Rules rules)
    : m_rules(std::move(rules)),
      m_most(std::clamp<std::uint64_t>(m_rules.resident, arena::scratch_slots, arena::all_scratch_slots)),
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
  if (std::uint64_t const done = m_done.load(); std::exchange(waiting.done, done) != done) waiting.turns = 0;
  return ++waiting.turns <= most_turns && others_get_on(worker);
}

void TeamScheduler::wait_in_vain(unsigned worker, bool vain) {
  if (std::exchange(m_waiting[worker].in_vain, vain) == vain) return;
  if (vain)
    m_in_vain.fetch_add(1);
  else
    m_in_vain.fetch_sub(1);
}

TeamScheduler::Claim TeamScheduler::claim_of_run(Place& place, Spinning const& spinning, unsigned worker) {
  Run& run = m_runs[worker];
  if (run.next == run.end && !take_run(run)) return Claim::none;
  // A worker none of whose teams waits begins the next one in any case: it may be the one that all others wait for.
  bool const patient = !may_have_begun(run.next) || spinning.least_spun <= long_wait;
  if (spinning.teams != 0 && in_flight() >= arena::scratch_slots && patient) return Claim::busy;
  for (std::uint32_t slot = 0; slot != arena::all_scratch_slots; ++slot) {
    if (m_taken[slot] || !take(slot)) continue;
    place = {run.next++, slot};
    m_begun.fetch_add(1);
    return Claim::team;
  }
  return Claim::busy;
}

TeamScheduler::Claim TeamScheduler::claim(Place& place, Spinning const& spinning, unsigned worker) {
  if (spinning.teams != 0 && stays_with_its_own(worker)) return Claim::busy;
  if (!m_runs.empty()) return claim_of_run(place, spinning, worker);
  for (;;) {
    std::uint64_t turn = m_next.load();
    if (turn >= m_rules.league_size) return Claim::none;
    std::uint64_t const rank = rank_of(turn);
    std::uint32_t slot = static_cast<std::uint32_t>(rank % arena::scratch_slots);
    if (!take(slot)) {
      if (spinning.teams == 0 || !has_room() || spinning.least_spun <= long_wait) return Claim::busy;
      slot = static_cast<std::uint32_t>(arena::scratch_slots + rank % arena::more_scratch_slots);
      if (!take(slot)) return Claim::busy;
    }
    if (m_next.compare_exchange_strong(turn, turn + 1)) {
      m_begun.fetch_add(1);
      place = {rank, slot};
      return Claim::team;
    }
    free_slot(slot);
  }
}

std::uint64_t TeamScheduler::rank_of(std::uint64_t turn) const {
  if (m_rules.order.empty()) return turn;
  std::uint64_t const group = turn - turn % arena::scratch_slots;
  std::uint64_t const here = std::min<std::uint64_t>(m_rules.league_size - group, m_rules.order.size());
  std::uint64_t place = turn - group;
  for (std::uint32_t const rank : m_rules.order)
    if (rank < here && place-- == 0) return group + rank;
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
  if (m_begun.load() == m_rules.league_size) return false;
  if (m_runs.empty()) return has_room();
  return may_have_begun(m_next) || std::any_of(m_runs.begin(), m_runs.end(), [&](Run const& run) {
           return run.next != run.end && may_have_begun(run.next);
         });
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
