// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which team of a launch begins next, in which scratch slot, and whether teams that wait for one another wait for ever.
/// Teams begin in league order, or in an order that is changed within each group of 32.
/// A team begins once its slot is free; if all teams of a worker have waited for long, it may begin one more, in another
/// slot, as long as a GPU would have room for so many at a time. Asked by all workers of the launch at once.
///
/// Iterations that wait for those before them get on one after the other, whoever runs them. Where workers come to wait for
/// each other again and again, one goes on alone: the one whose teams come first. The others give back what they have not
/// begun, end what they have, and go.
#pragma once

#include "../base/Arena.hpp"
#include "../base/ScratchSlots.hpp"

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <vector>

namespace teamsan {

class TeamScheduler {
 public:
  /// Teams of which the order may change; and as many, whatever they wait for, may have begun at a time.
  static constexpr std::uint32_t group = 32;

  struct Rules {
    std::uint64_t league_size = 1;
    std::uint64_t resident = group;  ///< teams that a GPU would run at a time
    std::uint64_t spin_limit = 0;                   ///< repeats without progress that are taken for a deadlock
    unsigned workers = 1;
    bool may_go_on_alone = false;      ///< teams are iterations of a range, in league order
    std::vector<std::uint32_t> order;  ///< of teams within a group; empty: ascending
  };

  /// A worker's teams that have begun and wait, and how long the one that has waited least: see Team::spun.
  struct Spinning {
    std::size_t teams = 0;
    std::uint64_t least_spun = 0;
  };

  struct Place {
    std::uint64_t rank;
    std::uint32_t slot;  ///< of scratch
  };

  /// `busy`: the next team's slot is taken; ask again, or run a team that waits. `none`: no further team is to begin.
  enum class Claim : std::uint8_t { team, busy, none };

  /// What one worker knows of all others' patience.
  class Watch {
    friend class TeamScheduler;
    std::vector<std::uint64_t> m_until;  ///< rounds of the workers by which all teams have had another turn; empty: none
    std::uint64_t m_changes = 0;         ///< see changes(), when that was noted
  };

  explicit TeamScheduler(Rules rules);

  /// Repeats after which a team waits for one that has not begun, more likely than for one that runs.
  static constexpr std::uint64_t long_wait = 400'000;

  /// The next team to begin, for that worker, which has these teams of its own. Where there are several workers, one whose
  /// teams wait stays with them for some turns as long as others get on: what these wait for is most likely about to be done.
  Claim claim(Place& place, Spinning const& spinning, unsigned worker);

  /// A worker begins to ask, or asks no more.
  void enter() { m_active.fetch_add(1); }
  void leave(unsigned worker) {
    wait_in_vain(worker, false);
    m_active.fetch_sub(1);
    wake();
  }
  /// None of the worker's teams got on since each had its last turn, or it has none and may begin none; or that is over.
  void wait_in_vain(unsigned worker, bool vain);
  /// So many workers do so.
  unsigned in_vain() const { return m_in_vain.load(); }
  /// Is there another one that does not?
  bool others_get_on(unsigned worker) const { return m_active.load() > m_in_vain.load() + (m_waiting[worker].in_vain ? 0 : 1); }

  /// From now on each worker begins teams side by side: it takes a run of them at a time, longer ones as long as they are done
  /// soon. Who writes next to others waits for cache lines, and for what they hold (memory/FlatHolds.hpp). Each worker still
  /// begins its teams in league order, so the first team that is not done never waits to be begun but for its own worker's. To
  /// be said before workers begin, of a league of which no team but the first one has begun, and whose teams use no scratch.
  void hand_out_runs();

  /// All lanes of one of the worker's teams have come to wait for others.
  void waits_for_others(unsigned worker);
  /// One of its teams got on, but has not ended: it stays with that one, for some time.
  void stay(unsigned worker) { m_waiting[worker].turns = 0; }
  /// One of its teams has ended. Of those that have begun and have not, the first in league order is this one; `no_team`:
  /// there is none.
  void note_first(unsigned worker, std::uint64_t rank) {
    m_waiting[worker].first = rank;
    m_waiting[worker].has_waited = false;
  }
  static constexpr std::uint64_t no_team = std::numeric_limits<std::uint64_t>::max();
  /// One worker goes on alone, as soon as the others have ended what they have begun.
  bool goes_on_alone() const { return m_alone.load(); }
  /// For that time, or until a worker has left the launch.
  void sleep(std::chrono::steady_clock::duration time);

  /// The turn that is to be claimed next.
  std::uint64_t next() const { return m_next.load(); }
  /// Teams from the next one up to that never begin. For a launch of one worker, in league order.
  void pass_over(std::uint64_t end) {
    m_passed_over += end - m_next.load();
    m_next = end;
  }

  /// The team in that slot needs it no more.
  void free_slot(std::uint32_t slot) { m_taken[slot] = false; }
  /// A team of that worker is done, and committed or kept for its turn.
  void done(unsigned worker) { m_waiting[worker].ended.fetch_add(1); }

  /// Worker number `worker` has given one of its teams a turn; `finished`: that team is done. True: no team will get on.
  bool hopeless(unsigned worker, bool finished, Spinning const& spinning, Watch& watch);
  /// A team of that worker has ended, so not all of its teams wait.
  void got_on(unsigned worker);

  /// The team that begins at that turn.
  std::uint64_t rank_of(std::uint64_t turn) const;
  /// Teams may begin in another order than the league's.
  bool reorders() const { return !m_rules.order.empty() || !m_runs.empty() || m_alone; }

 private:
  /// What a worker has that waits, and how many teams it has had: a count of all workers' would pass from one to the next with
  /// each team, which takes them longer than a hundred lanes.
  struct alignas(64) Waiting {
    std::atomic<std::uint64_t> begun{0}, ended{0};  ///< teams
    std::atomic<std::uint64_t> teams{0};   ///< if all of them have spun for long
    std::atomic<std::uint64_t> rounds{0};  ///< turns that it gave them
    std::atomic<std::uint64_t> first{no_team};  ///< see note_first
    // The worker's own:
    bool in_vain = false, has_waited = false;  ///< since one of them ended
    std::uint64_t turns = 0, done = 0;  ///< for which it has stayed with them while so many teams of the launch were done
    std::uint64_t turns_in_all = 0;     ///< and those in which one of them got on
  };
  static constexpr std::uint64_t most_turns = 16, most_turns_in_all = 1024;  ///< for which it does

  /// Teams that one worker begins.
  struct alignas(64) Run {
    std::atomic<std::uint64_t> next{0}, end{0};
    std::uint64_t length = shortest_run;
    std::chrono::steady_clock::time_point begun{};
  };
  static constexpr std::uint64_t shortest_run = 8, longest_run = 1024;

  bool take(std::uint32_t slot) { return !m_taken[slot].exchange(true); }
  bool take_run(Run& run);
  bool stays_with_its_own(unsigned worker);
  Claim claim_of_run(Place& place, Spinning const& spinning, unsigned worker);
  Claim claim_alone(Place& place, Spinning const& spinning, unsigned worker);
  Claim begin(Place& place, std::uint64_t rank, unsigned worker);
  void give_run_back(Run& run);
  bool take_to_give_back(unsigned worker);
  void wake();
  std::uint64_t begun() const { return sum_of(&Waiting::begun); }
  std::uint64_t ended() const { return sum_of(&Waiting::ended); }
  std::uint64_t sum_of(std::atomic<std::uint64_t> Waiting::*count) const {
    std::uint64_t sum = m_passed_over;
    for (Waiting const& w : m_waiting) sum += w.*count;
    return sum;
  }
  /// Teams that have begun and are not done, at least: who asks for those done first counts none twice.
  std::uint64_t in_flight() const {
    std::uint64_t const done = ended();
    return begun() - done;
  }
  bool has_room() const { return in_flight() < m_most; }
  /// On a device with room for less than all slots, the team so many turns before has not ended: as if both had one slot.
  bool finds_no_room(std::uint64_t turn) const {
    return m_most < scratch_slots::in_turn() && turn >= m_most && m_taken[scratch_slots::of_team(rank_of(turn - m_most))];
  }
  /// Of a worker's run: a GPU, which begins teams in league order, may have begun it by now.
  bool may_have_begun(std::uint64_t rank) const { return rank < m_rules.league_size && rank < ended() + m_most; }
  bool may_begin_more() const;
  std::uint64_t spin_limit() const;
  /// Grows whenever a team begins, gets on after long, or ends.
  std::uint64_t changes() const { return begun() + ended() + m_got_on.load(); }
  bool nobody_gets_on(Watch& watch) const;

  Rules m_rules;
  std::uint64_t const m_most;  ///< at a time
  std::atomic<std::uint64_t> m_next{0};   ///< of those that no worker has been given
  std::uint64_t m_passed_over = 0;
  std::atomic<unsigned> m_active{0}, m_in_vain{0};  ///< workers
  std::atomic<std::uint64_t> m_got_on{0};  ///< times that a worker's teams ceased to wait
  static constexpr std::uint32_t slots_on_a_line = 64;  ///< of a cache
  alignas(64) std::array<std::atomic<bool>, arena::all_scratch_slots> m_taken{};  ///< scratch slots
  std::vector<Waiting> m_waiting;  ///< by worker
  std::vector<Run> m_runs;         ///< by worker; empty: teams are handed out one by one

  static constexpr std::uint64_t done_for_each_wait = 16;  ///< teams, if workers wait now and then only
  std::mutex m_alone_mutex;
  std::condition_variable m_sleepers;
  std::atomic<bool> m_alone{false};
  std::uint64_t m_waits = 0, m_done_by_then = 0;  ///< of late: workers that came to wait
  std::map<std::uint64_t, std::uint64_t> m_given_back;      ///< what is left of runs: first teams, and the ends
  std::atomic<std::uint64_t> m_first_given_back{no_team};
};

}  // namespace teamsan
