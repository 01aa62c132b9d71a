// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the rules keep of one running team. A team has one of these (Team::checks); it is as new when a team begins.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"
#include "../base/PatientMutex.hpp"
#include "Accumulators.hpp"
#include "GlobalStores.hpp"
#include "Handovers.hpp"
#include "LaneRedundant.hpp"
#include "LibraryCalls.hpp"
#include "NestedAccumulators.hpp"
#include "Race.hpp"
#include "RacedWords.hpp"
#include "TeamAccumulators.hpp"
#include "TeamAtomics.hpp"
#include "ThreadRedundant.hpp"
#include "TrafficCounter.hpp"
#include "Uninit.hpp"
#include "../findings/RawFinding.hpp"
#include "../machine/Team.hpp"

#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace teamsan::detect {

/// A store whose new value is not known yet: the compiler calls us before it.
struct StoreToCome {
  static constexpr std::uint32_t most_bytes = 16;  ///< of wider ones the values are not compared

  std::uintptr_t address;
  std::uint32_t bytes;
  unsigned char before[most_bytes];

  void begin(Access const& access) {
    address = access.address;
    bytes = access.bytes;
    std::memcpy(before, reinterpret_cast<void const*>(address), bytes);
  }
  /// It is made: does memory hold what it held before?
  bool changed_nothing() const { return std::memcmp(before, reinterpret_cast<void const*>(address), bytes) == 0; }
};

/// One that conflicts. Looked at when the lane is left: the same value as before is no race but its own rule, or nothing at all
/// within one thread or when a collective's result was stored.
struct PendingStore : StoreToCome {
  bool same_thread;        ///< conflicts only with vector lanes of its own thread
  bool result;             ///< a lane's store of a collective's result
  bool scratch;
  std::uintptr_t word;     ///< the first conflicting word or byte
  Site site;
  Key key;                 ///< of what is told, which may be another store to the word
  std::uint32_t race;      ///< its place among pending_races, if it has one there
};

/// What is handed over when the team is committed. Another thread may look at it while the team runs.
struct TeamFindings {
  FindingList findings;
  UninitReads uninit;          ///< reads of device memory that nothing may have written
  GlobalStores global_stores;
  HandoverLog handovers;
  TeamAtomics atomics;
  RacedWords raced_words{std::size_t{1} << 16};
  ReducedByTeam reduced;
  PatientMutex stores_mutex;  ///< held while a running team adds to global_stores

  void clear();
  /// For another thread, while the team runs.
  GlobalStores global_stores_so_far();
};

struct TeamChecks {
  static constexpr std::size_t most_pending = 1024;

  events::TeamFindings found;
  std::vector<PendingStore> pending;
  std::vector<DeferredRace> pending_races;  ///< of these
  std::vector<std::vector<Site>> pending_ways;  ///< calls that led to these
  std::vector<StoreToCome> flat_stores;  ///< of a flat launch's lane, to words that another lane of its team has stored to
  LaneRedundant lane_redundant;
  ThreadRedundant thread_redundant;
  UninitReads uninit;        ///< of the barrier interval
  RacedStores raced_stores;  ///< the same
  bool faults_elsewhere = false;     ///< another shard tells of something that this team did
  std::vector<Site> shared_atomics;  ///< instructions, each once; see note_shared_atomic
  std::vector<LibraryCalls::Call> library_calls;  ///< each once
  Accumulators accumulators;  ///< of a reduction
  NestedAccumulators nested_accumulators;
  TeamAccumulators team_accumulators;
  TrafficCounter traffic;
  std::uint32_t threw = 0;  ///< lanes that an exception has ended
};

inline FindingList& findings(Team& team) { return team.checks().found->findings; }

/// The running lane makes a store that it is too early to judge, to be filled in. Its race is the next among pending_races,
/// unless the store is one to device memory like others that the team knows: it is counted and no more.
PendingStore& add_pending(Team& team);

/// The running lane races in a way that is told of two stores already, by that key. It is not counted while these wait to be
/// judged.
void count_race_of_stores(Team& team, Key const& key);

/// The running lane changed the `bytes` (up to 8) at `address` from `before` to `after` by an atomic, which other lanes or
/// threads may do again.
void note_repeatable_update(Team& team, std::uintptr_t address, std::uint32_t bytes, std::uint64_t before, std::uint64_t after,
                            Site site);

/// The running lane changes a word by an atomic that another lane has so changed, in no order with it.
void note_shared_atomic(Team& team, Site site);

}  // namespace teamsan::detect
