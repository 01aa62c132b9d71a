// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Order that a program makes for itself with atomics. A lane that has fenced (Kokkos::memory_fence) or uses a release
/// order changes an atomic: it releases what lies before the fence, or before the atomic. A lane, of whatever team, that
/// later reads or updates the same atomic acquires that: what it does from then on is ordered after it, and so is what is
/// ordered after that in turn. "The last team reduces", look-back scans and spin locks rest on this.
///
/// Which accesses lie before a release, and which behind an acquire, is known from their ticks (Cell.hpp): those of the
/// same lane, and those that a meeting of the thread or the team separates from it. Releases and acquires advance the
/// team's tick, too, so that a lane's own accesses before and behind them differ.
///
/// What lanes do alike is one access: the vector lanes of a thread run all code outside vector ranges, and each lane of a
/// collective stores its result. A release by one of them covers the others' stores of the same value, and reads of the
/// thread's other lanes, up to their next meeting.
///
/// Errs towards silence: an acquire needs no fence, and any later access to the same atomic counts as having seen the
/// release; a fence of another lane before the last barrier counts as a fence of the releasing lane, and what that fence
/// follows only in the order in which lanes happened to run as lying before it. What exceeds its limits counts as ordered,
/// and the report says so (NotJudged.hpp): of a team that synchronises tens of thousands of times what it did before the
/// latest of them; of a launch all, once it released and acquired 4 million times, or once searches took too long. A
/// program without fences and release orders gets no order from its atomics at all.
#pragma once

#include "../base/PatientMutex.hpp"
#include "../memory/TickMap.hpp"

#include <array>
#include <atomic>
#include <bitset>
#include <cstdint>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace teamsan {

class AtomicOrder {
 public:
  /// Who does the same at this place, so that its release counts as the lane's own: the thread's lanes, or the team's.
  enum class Alike : std::uint8_t { none, thread, team };

  /// When a lane of a team accessed something.
  struct Moment {
    std::uint32_t lane;  ///< in the team
    std::uint32_t tick;
    bool atomic = false;  ///< an atomic access: its own release covers it, though no fence lies behind it
    Alike alike = Alike::none;
  };
  static constexpr std::uint32_t unknown_tick = 0xffff;

  /// Where a lane stands that releases or acquires: ticks of its own, and of the latest meetings.
  struct Standing {
    std::uint32_t lane, tick;
    std::uint32_t next;  ///< tick of what it does behind this event
    std::uint32_t thread_met, team_met;
  };

  struct Point;

  static constexpr std::uint32_t never = 0xffffffff;

  /// What a team has released and acquired, in its own order. Written by the team's worker.
  struct Log {
    struct Event {
      Point* point;
      std::size_t number;  ///< of a release: which one of the point's; of an acquire: how many there were before
      std::uint32_t lane;
      std::uint32_t tick;  ///< of a release: plain accesses below lie before it; of an acquire: those from here on behind
      std::uint32_t last;  ///< of a release: atomic accesses up to this tick lie before it
      std::uint32_t thread_met;  ///< of a release: latest meeting of the thread before
      std::uint32_t team_met;    ///< of a release: latest barrier before; of an acquire: the next one behind, 0: none yet
      bool acquires;
      std::uint32_t thread_next = never, team_next = never;  ///< of a release: the next meetings behind it
    };
    std::uint64_t league = 0;
    std::uint32_t vector_length = 1;
    std::uint32_t known_from = 0;  ///< what the team did at earlier ticks is no longer told apart
    std::vector<Event> events;
    std::map<std::uint32_t, std::vector<std::size_t>> acquires;  ///< by lane: events
    std::size_t open = 0;       ///< events from here on have seen no barrier behind them
    std::map<std::uint32_t, std::vector<std::size_t>> unmet;  ///< by thread: releases with no meeting of it behind them
    std::bitset<1024> threads;  ///< that released or acquired
    struct Last {
      std::size_t release = 0, acquire = 0;  ///< number of the event, plus 1
      std::size_t seen = 0;                  ///< releases of the point that the lane knows
    };
    std::map<std::pair<std::uintptr_t, std::uint32_t>, Last> last;  ///< by point's address and lane

    std::uint32_t thread(std::uint32_t lane) const { return lane / vector_length; }
    /// Of threads that never released nor acquired, any lane stands for all.
    Moment normal(Moment m) const {
      if (m.alike == Alike::thread && vector_length == 1) m.alike = Alike::none;
      if (threads[thread(m.lane)]) return m;
      return {no_lane, m.tick, m.atomic, m.alike == Alike::team ? Alike::team : Alike::none};
    }
  };
  static constexpr std::uint32_t no_lane = 0xffff;

  struct Point {
    struct Release {
      Log const* log;
      std::size_t event;
    };
    std::vector<Release> releases;
    std::unordered_map<Log const*, std::vector<std::size_t>> of_team;  ///< events
    std::uint64_t search = 0;  ///< number of the latest search that came here,
    std::size_t found = 0;     ///< and how many releases are known to it
  };

  /// What a launch may cost: memory (a quarter of a gigabyte a million), and time (seconds).
  struct Limits {
    std::size_t events = std::size_t{1} << 22;
    std::uint64_t steps = std::uint64_t{1} << 31;
  };

  AtomicOrder() : AtomicOrder(Limits{}) {}
  explicit AtomicOrder(Limits limits);
  ~AtomicOrder();

  /// Has something been released at the address?
  bool knows(std::uintptr_t address);

  /// The team's, made at first use.
  Log& log(std::uint64_t league, std::uint32_t vector_length);
  /// nullptr: the team has released and acquired nothing.
  Log const* find(std::uint64_t league);

  /// The lane changes the atomic at this address next. Plain accesses below the tick `before` lie before it.
  /// False: an earlier release said the same.
  bool release(Log& log, Standing const& at, std::uintptr_t address, std::uint32_t before);

  enum class Acquired { nothing, more, news };
  /// The lane has read or updated the atomic at this address. `idle`: the team touched nothing else since the lane last
  /// did; then what was released meanwhile is `more` of that acquire. `replayed`: news, as a trace says.
  Acquired acquire(Log& log, Standing const& at, std::uintptr_t address, bool idle, bool replayed = false);

  /// The team has met: at this tick its lanes go on.
  void meet(Log& log, std::uint32_t tick);
  /// The same of one thread's lanes.
  void meet_thread(Log& log, std::uint32_t thread, std::uint32_t tick);

  /// The ticks that the team's releases and acquires are compared with.
  static void add_bounds(Log const& log, std::vector<std::uint32_t>& bounds);
  /// The team's ticks are numbered anew, in a way that keeps its bounds from tick `known_from` on.
  void renumber(Log& log, TickMap const& map, std::uint32_t known_from);

  bool used() const { return m_used; }
  /// The launch has exceeded a limit: from then on all was ordered.
  bool lost_events() const { return m_lost_events; }
  bool lost_steps() const { return m_lost_steps; }

  /// A number for that question, 63 bits, of the teams and of normal moments.
  static std::uint64_t question(std::uint64_t a, Moment const& x, std::uint64_t b, Moment const& y);

  /// Is the moment of one team ordered with that of the other? `earlier`: only the first before the second is asked.
  bool orders(Log const* a, Moment const& x, Log const* b, Moment const& y, bool earlier = false);

 private:
  using Released = std::unordered_map<Log const*, std::vector<std::size_t>>;
  class Search;
  void add(Log& log, Log::Event const& event);
  bool full(std::uint64_t steps);
  bool before(Log const& a, Moment const& x, Log const& b, Moment const& y);
  bool released_to(Log const& a, Moment const& x, Log const& b, Moment const& y);

  Limits const m_limits;
  std::atomic<bool> m_used = false, m_lost_events = false, m_lost_steps = false;
  PatientMutex m_mutex;
  std::unordered_map<std::uintptr_t, Point> m_points;
  std::unordered_map<std::uint64_t, Log> m_logs;
  std::map<std::array<std::uint64_t, 3>, Released> m_before;  ///< all that lies before, by league, lane and tick
  std::atomic<std::uint64_t> m_changes;  ///< of no other AtomicOrder: answers are good until the next one
  std::size_t m_events = 0;   ///< of all teams
  std::uint64_t m_searches = 0;
  std::uint64_t m_steps = 0;  ///< of searches so far
};

}  // namespace teamsan
