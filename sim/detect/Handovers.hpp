// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// unfenced-handover: of two accesses that race, does the later lane's follow an atomic by which that lane saw what the
/// earlier one did by an atomic behind its own? Then the program means an order, and what is missing is the release: a fence
/// between the earlier access and its atomic (AtomicOrder.hpp says what is one). Only a race is asked about: whether there is
/// one is decided before and elsewhere (Race.cpp, CrossTeam.cpp).
///
/// It rests on what ran: each team notes which lane changed or saw which atomic in device memory, behind which of its ticks,
/// and a count of the launch's atomics tells which came first. Noted are the first atomics of a lane and of a launch; a race
/// behind them, one by a chain of hand-overs, or one of lanes that are not known stays a global-race, unless such a hand-over
/// of the same instructions was told before. A kernel without atomics pays nothing.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Arena.hpp"
#include "RaceCure.hpp"
#include "../findings/RawFinding.hpp"
#include "../machine/Team.hpp"
#include "../memory/Hot.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace teamsan::detect {

class Handovers;

/// What a team's lanes did by atomics in device memory, in their order.
struct HandoverLog {
  static constexpr std::size_t most = 4096;  ///< of a team
  static constexpr std::uint8_t most_of_lane = 32;
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 24;
  static constexpr std::uint32_t never = 0xffffffff;

  struct Atomic {
    std::uintptr_t address;
    std::uint64_t changed;  ///< number before it changed the word; 0: it did not, or nobody counted
    std::uint64_t seen;     ///< number behind it; 0: it gives nothing back, or nobody counted
    Site site;
    std::uint32_t lane;
    std::uint32_t tick;                  ///< of what the lane did before; what it does from there on has a later one
    std::uint32_t thread_met, team_met;  ///< latest meetings before
    std::uint32_t team_next;             ///< barrier behind
    bool changes, sees;
  };

  void clear() {
    launch = nullptr;
    atomics.clear();
    polled.clear();
    open = 0;
    next_change = steps = 0;
  }

  Handovers* launch = nullptr;  ///< that counts; nullptr: nothing was noted yet
  std::vector<Atomic> atomics;
  std::size_t open = 0;  ///< atomics from here on have seen no barrier behind them
  std::uint64_t next_change = 0;
  std::uint64_t steps = 0;  ///< of searches so far
  struct Polled {
    std::uintptr_t address = 0;
    std::uint64_t value = 0;
    bool operator==(Polled const&) const = default;
  };
  std::vector<Polled> polled;  ///< by lane: what its latest atomic saw, if it changed nothing
};

/// The atomics of a hand-over.
struct Handover {
  Site by, to;
  bool by_itself;  ///< the earlier access is the atomic
  /// The same, and more lanes change the word by atomics: a fence orders the access with this one alone, not with theirs.
  bool of_word = false;
};

/// An access of a lane, as Mark or the global shadow have it.
struct HandedAccess {
  std::uint64_t team;
  std::uint32_t lane, tick;
  Site site;
  bool atomic;
};

/// The launch's.
class Handovers {
 public:
  static constexpr std::size_t most = std::size_t{1} << 16;            ///< atomics that are kept
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 27;  ///< of searches

  /// `vector_length` of the launch. `on`: the rule is.
  Handovers(std::uint32_t vector_length, bool on) : m_vector_length(vector_length), m_on(on) {}

  bool on() const { return m_on; }
  bool full() const { return m_full.load(std::memory_order_relaxed); }
  /// The next number of the launch's. What is counted once no more is kept serves a team for itself, and needs none.
  std::uint64_t count() { return full() ? 1 : m_count.fetch_add(1, std::memory_order_relaxed) + 1; }

  // By the committing team, in league order.
  void keep(std::uint64_t league_rank, HandoverLog&& log);
  bool has(std::uint64_t league_rank) const { return m_teams.contains(league_rank); }
  /// Words that the lane took as locks, each with the first atomic by which it did.
  std::map<std::uintptr_t, Site> locks_of(std::uint64_t team, std::uint32_t lane) const;

  /// Has the lane tried to take that word as a lock?
  bool tried(std::uint64_t team, std::uint32_t lane, std::uintptr_t lock) const;

  /// Has a lane of a team that is kept changed the word by an atomic?
  bool is_changed(std::uintptr_t address) const;

  /// What answers of a run were, for a trace; those of a trace.
  using Verdicts = std::unordered_map<std::uint64_t, bool>;

  /// Did the earlier access' lane, or one that it met, hand over to the later one's? The teams differ.
  std::optional<Handover> find(HandedAccess const& earlier, HandedAccess const& later, Verdicts* verdicts,
                               Verdicts const* recorded);

  /// Why nothing was found may be that too little is kept: what was found of such accesses before.
  std::optional<Handover> told_before(HandedAccess const& earlier, HandedAccess const& later, std::uint64_t data) const;
  void tell(HandedAccess const& earlier, HandedAccess const& later, std::uint64_t data, Handover const& handover);

 private:
  std::uint32_t const m_vector_length;
  std::atomic<bool> m_full{false};
  bool const m_on;
  std::atomic<std::uint64_t> m_count{0};
  std::uint64_t m_steps = 0;
  std::size_t m_kept = 0;
  bool m_lacks = false;
  struct OfTeam {
    std::vector<HandoverLog::Atomic> atomics;
    std::unordered_multimap<std::uintptr_t, std::size_t> changes;  ///< by address; made when it is asked for
  };
  std::unordered_map<std::uint64_t, OfTeam> m_teams;
  std::map<std::tuple<Site, Site, std::uint64_t>, Handover> m_told;
};

// ---- the running lane ----
/// What an atomic did to a word.
struct HandoverDeed {
  bool changes, sees;
  bool by_volatile = false;  ///< no atomic under --sync portable
  unsigned packed() const { return changes | unsigned{sees} << 1 | unsigned{by_volatile} << 2; }
  static HandoverDeed of(std::uint32_t detail) { return {(detail & 1) != 0, (detail & 2) != 0, (detail & 4) != 0}; }
};
/// May an atomic at that address be one that is noted?
inline bool may_hand_over(std::uintptr_t address) {
  return hot.lane->noted < HandoverLog::most_of_lane && arena::contains(arena::global, arena::global_bytes, address);
}
/// One that may changes the word next.
void about_to_hand_over(Team& team);
/// The atomic is done. `value`: what it found.
void note_handover(Team& team, std::uintptr_t address, Site site, HandoverDeed deed, std::uint64_t value);
/// A volatile load is made, or was.
void note_volatile_load(Team& team, VolatileLoad const& load);
/// The same, as a trace says.
void note_handover_again(Team& team, std::uintptr_t address, Site site, HandoverDeed deed);
/// The team has passed a barrier; its lanes go on at this tick.
void handover_barrier(HandoverLog& log, std::uint32_t tick);

/// The hand-over, within the team, from an earlier access to the running lane.
std::optional<Handover> find_handover(Team& team, HandedAccess const& earlier);

/// Makes the race of these two sides, which lie in the order in which the lanes did them, a finding of this rule.
void make_unfenced_handover(RawFinding& finding, Handover const& handover, Between between);

void for_each_tick(HandoverLog& log, std::function<void(std::uint32_t&)> const& f);

}  // namespace teamsan::detect
