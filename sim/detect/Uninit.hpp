/// Reads of what nothing has written. Such a read stays a candidate until the end of the barrier interval (scratch) or
/// of the launch (device memory): if another lane wrote the bytes in that time, the two race, and the race is the
/// finding.
#pragma once

#include <teamsan/sim/detect/RawFinding.hpp>
#include <teamsan/sim/memory/Cell.hpp>

#include <cstdint>
#include <map>
#include <vector>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

class SharedWords;

struct UninitRead {
  Key key;
  std::uintptr_t address;   ///< of the word or byte
  std::uint32_t bytes;      ///< of the access
  std::uint32_t lane;
  std::uint64_t league;
  std::uint64_t interval;
  std::uintptr_t pc;
  bool scratch;
  bool atomic;
  Who who;                  ///< the reader and its thread's latest meeting, as in a Mark
  std::uintptr_t unseen_store;  ///< device memory: a word of the access that holds what nobody was seen to store, or 0
};

/// Stores of the running interval that raced, kept while reads are candidates. The Cell knows the latest store alone,
/// which may be the reader's own.
class RacedStores {
 public:
  /// The lane's store to these bytes is unordered with an earlier access.
  void add(std::uintptr_t address, std::uint32_t bytes, bool atomic, Who who, std::uint32_t vector_length);
  /// Is one of them to the bytes of the read, and in no order with it?
  bool race_with(UninitRead const& read, std::uint32_t vector_length) const;
  void clear() { m_plain.clear(), m_atomic.clear(); }

 private:
  struct Store {
    std::uint32_t bytes;
    Who first;       ///< who::many: lanes of several threads stored
    Who second = 0;  ///< the first one by another lane of that thread
  };
  using Stores = std::map<std::uintptr_t, Store>;
  static bool race(Stores const& stores, UninitRead const& read, std::uint32_t vector_length);
  Stores m_plain, m_atomic;
};

/// The team's barrier interval (or the team) ends: what no other lane has written meanwhile is a finding (scratch) or
/// stays a candidate until the launch ends (device memory: moved to the team's list).
void end_interval(Team& team, Who floor);

/// The launch ends: candidates whose bytes other teams wrote are dropped, and those in allocations into which somebody
/// stores unseen; the others are findings.
void end_launch(std::vector<UninitRead>& candidates, std::uint32_t epoch, SharedWords const& shared, FindingList& findings);

}  // namespace teamsan::detect
