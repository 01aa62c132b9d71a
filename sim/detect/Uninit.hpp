// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Reads of what nothing has written. Such a read stays a candidate until the end of the barrier interval (scratch) or
/// of the launch (device memory): if another lane wrote the bytes in that time, the two race, and the race is the
/// finding.
#pragma once

#include "../../traces/Site.hpp"
#include "../findings/RawFinding.hpp"
#include "../memory/Cell.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace teamsan {
class Team;
struct ThreadMeeting;
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
  Site site;
  Site told;      ///< what is told: `site`, or the user's call of a function of Kokkos that is not in line
  bool scratch;
  bool atomic;
  Who who;                  ///< the reader and its thread's latest meeting, as in a Mark
  std::uintptr_t unseen_store;  ///< device memory: a word of the access that holds what nobody was seen to store, or 0
  /// A thread's own scratch: where a range that is shared out among the threads wrote another part of it, or 0.
  Site shared_out{};
  std::uint32_t from_there = 0;  ///< bytes of the access from the address on
};

/// Is an element of that type a number, or a pointer? Numbers are zero once a View is initialised; a struct holds what its
/// constructor sets.
bool is_number(std::string_view type);

/// Text of the finding.
RawFinding uninit_finding(UninitRead const& read, Data data);

/// What the launch knows of a word, or of a byte, that lies in one element with bytes that were read unwritten.
struct Neighbour {
  bool written = false;
  std::vector<Site> readers;  ///< the instructions by which the reader may have read it; none: of any
};

/// First byte and size of the View's element of device memory that holds the address; size 0: not known, or of one word.
struct Element {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};
Element global_element(std::uintptr_t address);

/// Does nobody use what the read gave? It belongs to the store of a bit-field (`wrote`: the reader has written the bytes
/// itself), or copies the padding of a struct. Asked of all such reads, whichever way their launch is judged.
bool is_of_no_value(UninitRead const& read, bool wrote, Element const& element,
                    std::function<Neighbour(std::uintptr_t address)> const& neighbour);

/// When the team's threads have met since it first read what nothing had written. (Stamps alone do not say: fences and atomics
/// advance a lane's own.)
struct ThreadOrder {
  std::uint32_t vector_length;
  std::vector<ThreadMeeting> const& meetings;
};

/// Candidates. A kernel that forgets to initialise an array reads all of it, by many lanes: reads of one key that follow
/// each other at equal distances, by one lane or by lanes one after the other, are kept together. Those in no such order
/// are kept up to `most_runs` of a launch; further ones are not counted, but for the first of each key.
class UninitReads {
 public:
  /// Has there been a read of the key since it was cleared?
  bool knows(Key const& key) const { return m_latest.contains(key); }
  static constexpr std::size_t most_runs = std::size_t{1} << 18;

  void add(UninitRead const& read);
  /// Those of a team that has been committed.
  void append(UninitReads const& team);
  bool empty() const { return m_runs.empty(); }
  void clear();

  /// f(read) for each, in the order of the first ones of runs.
  template <class F>
  void for_each(F f) const {
    for (Run const& run : m_runs)
      for (std::uint32_t i = 0; i != run.reads; ++i) f(run[i]);
  }
  /// f(who) for the readers, by reference: those that have one stamp together.
  template <class F>
  void for_each_stamp(F f) {
    for (Run& run : m_runs) f(run.first.who);
  }
  bool has_word(std::uintptr_t word_address) const;

  /// Was there no room for some?
  bool full() const { return m_full; }
  /// Entries that are kept.
  std::size_t kept() const { return m_runs.size(); }

 private:
  struct Run {
    UninitRead first;
    std::int64_t step = 0;
    Who lanes = 0;  ///< from one reader to the next
    std::uint32_t reads = 1;
    UninitRead operator[](std::uint32_t i) const;
    bool take(UninitRead const& read);
  };
  std::vector<Run> m_runs;
  std::unordered_map<Key, std::size_t, KeyHash> m_latest;  ///< run of each key
  bool m_full = false;
};

/// Stores of the running interval that raced, kept while reads are candidates. The Cell knows the latest store alone,
/// which may be the reader's own.
class RacedStores {
 public:
  /// The lane's store to these bytes is unordered with an earlier access.
  void add(std::uintptr_t address, std::uint32_t bytes, bool atomic, Who who, std::uint32_t vector_length);
  /// Is one of them to the bytes of the read, and in no order with it?
  bool race_with(UninitRead const& read, ThreadOrder order) const;
  void clear() { m_plain.clear(), m_atomic.clear(); }
  /// f(who) for all of them.
  template <class F>
  void for_each(F f) {
    for (Stores* const stores : {&m_plain, &m_atomic})
      for (auto& [address, store] : *stores) f(store.first), f(store.second);
  }

 private:
  struct Store {
    std::uint32_t bytes;
    Who first;       ///< who::many: lanes of several threads stored
    Who second = 0;  ///< the first one by another lane of that thread
  };
  using Stores = std::map<std::uintptr_t, Store>;
  static bool race(Stores const& stores, UninitRead const& read, ThreadOrder order);
  Stores m_plain, m_atomic;
};

/// The team's barrier interval (or the team) ends: what no other lane has written meanwhile is a finding (scratch) or
/// stays a candidate until the launch ends (device memory: moved to the team's list).
void end_interval(Team& team, Who floor);

/// Reads of device memory of which it is known that nobody wrote what they read become findings, whichever way their launch is
/// judged.
class UninitFindings {
 public:
  explicit UninitFindings(FindingList& findings) : m_findings(findings) {}

  /// `no`: it is another one of what was counted; `at_least`: and there may be more.
  enum class Counts : std::uint8_t { no, exactly, at_least };
  void add(UninitRead const& read, Counts counts);
  /// That was all.
  void end();

 private:
  FindingList& m_findings;
  std::unordered_map<Key, std::unordered_set<std::uint64_t>, KeyHash> m_teams;
};

/// The launch ends, with that team if not the last one: candidates whose bytes other teams wrote are dropped, and those in
/// allocations into which somebody stores unseen; the others are findings.
void end_launch(UninitReads& candidates, std::uint32_t epoch, bool wide_league, std::uint64_t last_team,
                SharedWords const& shared, FindingList& findings);

}  // namespace teamsan::detect
