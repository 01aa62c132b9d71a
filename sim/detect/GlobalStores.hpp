// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Lanes of one team stored to the same word of device memory without order. Whether that is a race, a same-value
/// warning or a thread's redundant store hangs on the values, and what a lane finds in memory after its store proves
/// something only if no other team stores there too. So these wait for the end of the launch: on a word that teams
/// raced on, lanes of different threads race whatever the values were, and nothing is said of lanes of one thread.
///
/// Iterations of a range race whatever the values were: which of them are one team hangs on how many there are, and the
/// verdict must not. That the values were equal is said beside.
///
/// A launch may make billions of such stores. Kept are words and how many stores each had, those that lie at equal
/// distances together (Run): what every team does to a row of its own is a run a launch. Words that are in no such order
/// are kept up to `most_runs`; of further ones, those that got equal values are taken for words that no other team
/// stores to, and others are passed over.
#pragma once

#include "../../traces/Site.hpp"
#include "../findings/RawFinding.hpp"
#include "StoreExamples.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace teamsan::detect {

class GlobalStores {
 public:
  static constexpr std::size_t most_runs = std::size_t{1} << 20;

  using Store = SharedStore;

  /// `make()` gives the finding, as a race; called if the store is one of those that may be shown (see StoreExamples).
  template <class Make>
  void add(Store const& store, Make make) {
    std::uint32_t const kind = kind_of(store.key, store.same_value, store.same_thread, store.around);
    m_examples.add(store, make);
    if (m_kinds[kind].decided())
      ++m_kinds[kind].races;
    else
      add(store.address & ~std::uintptr_t{3}, kind);
  }
  /// Has there been a store of the key?
  bool knows(Key const& key) {
    if (m_at < m_words.size() && m_kinds[m_words[m_at].kind].key == key) return true;  // mostly the latest one's
    return m_examples.find(key) != nullptr;
  }
  /// Would `add` make the finding of a store to the word?
  bool wants(Key const& key, std::uintptr_t word, bool same_thread) const {
    StoreExamples::OfKey const* const of = m_examples.find(key);
    return of == nullptr || of->wants(word, same_thread);
  }
  /// One more race, if there have been stores of the key.
  void count_race(Key const& key) {
    if (knows(key)) ++m_kinds[kind_of(key, false, false)].races;
  }
  /// So many of the running team's stores to the word, which were told under the one key, are told under the other.
  template <class Make>
  void retell(Key const& was, std::uintptr_t word, std::uint64_t count, Key const& key, Make make) {
    if (count == 0 || was == key || m_examples.find(was) == nullptr) return;
    if (m_examples.find(key) == nullptr) m_examples.add({key, word, false, false}, make);
    retell(was, word & ~std::uintptr_t{3}, count, key);
  }
  /// So many teams made stores of the key.
  void set_teams(Key const& key, std::uint64_t teams) {
    if (StoreExamples::OfKey* const of = m_examples.find(key)) of->teams = of->apart = teams;
  }
  /// A vector lane stored what another lane of its thread had stored there: counted, since Kokkos documents lanes to
  /// repeat a thread's work; of scratch too.
  void count_redundant(Site site) { ++m_redundant[site]; }
  /// A team of the launch has been committed: what it did is added to what earlier teams did.
  void append(GlobalStores&& team, std::uint32_t epoch);
  void clear();
  bool empty() const { return m_kinds.empty() && m_redundant.empty(); }

  /// What the launch was of.
  enum class Launch { teams, one_team, iterations };
  /// It has ended: what is left to say goes to `findings`. Did its teams race on device memory?
  void end_launch(std::uint32_t epoch, FindingList& findings, Launch launch = Launch::teams, bool teams_raced = false);

  /// Was there no room for some?
  bool full() const { return m_full; }
  /// Entries that are kept.
  std::size_t kept() const { return m_words.size() + m_runs.size(); }

 private:
  /// Stores that get the same verdict if their words do.
  struct Kind {
    Key key;
    bool same_value, same_thread;
    WordsAround around;
    std::uint64_t races = 0;     ///< stores that race for certain
    std::uint64_t harmless = 0;  ///< same values in words that no other team stores to
    std::uint32_t last_run = std::numeric_limits<std::uint32_t>::max();
    /// A race, whatever other teams do to the word?
    bool decided() const { return !same_value && !same_thread; }
  };
  /// Of the running team.
  struct Word {
    std::uintptr_t address;
    std::uint64_t stores;
    std::uint32_t kind;
  };
  /// Words at equal distances with as many stores each, of teams that have been committed.
  struct Run {
    std::uintptr_t first;
    std::uint64_t stores;
    std::uint32_t step, words, kind;
  };

  struct Told;
  /// A key's stores by what they turn out to be.
  struct OfVerdict {
    std::uint64_t races = 0, harmless = 0;
    std::uint64_t of_threads = 0;  ///< of these, by lanes of one thread
  };
  Told tell(Key const& key, OfVerdict const& sum, bool as_races, std::uint32_t epoch, bool teams_raced) const;
  std::uint32_t kind_of(Key const& key, bool same_value, bool same_thread, WordsAround around = {});
  void add(std::uintptr_t word, std::uint32_t kind) {
    // The lanes of a team mostly store to the same words in the same order.
    if (m_at + 1 < m_words.size() && m_words[m_at + 1].address == word && m_words[m_at + 1].kind == kind)
      ++m_words[++m_at].stores;
    else
      add_elsewhere(word, kind);
  }
  void add_elsewhere(std::uintptr_t word, std::uint32_t kind);
  void retell(Key const& was, std::uintptr_t word, std::uint64_t count, Key const& key);
  void sum_up();
  void keep(Word const& word);

  std::vector<Kind> m_kinds;
  std::unordered_map<Key, std::uint32_t, KeyHash> m_index;
  StoreExamples m_examples;
  std::unordered_map<Site, std::uint64_t> m_redundant;
  std::vector<Word> m_words;  ///< a word may come several times
  std::size_t m_at = 0;       ///< where the latest store was counted
  std::size_t m_summed = 0;   ///< so many words were left by the latest sum_up()
  std::vector<Run> m_runs;
  bool m_full = false;
};

/// Turns a race into a same-value warning.
void make_same_value(RawFinding& finding);

}  // namespace teamsan::detect
