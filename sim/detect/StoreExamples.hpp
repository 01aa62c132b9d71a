// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Stores of which some may be shown when the launch has ended, and what of their words is known then. One on a word that
/// other teams raced on must not stand for those on words of their own: what it found in memory hangs on when the others came.
/// So of each key several are kept, on different words.
#pragma once

#include "../findings/RawFinding.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace teamsan::detect {

/// Words of a store before and behind the one that is told: values are compared over all of them, and say nothing if teams
/// raced on any.
struct WordsAround {
  std::uint8_t before = 0, behind = 0;
  bool operator==(WordsAround const&) const = default;
};

/// A store to a word of device memory to which another lane of its team had stored, unordered.
struct SharedStore {
  Key key;  ///< as a race
  std::uintptr_t address;
  bool same_value, same_thread;
  WordsAround around{};
  /// A race, whatever other teams do to the word?
  bool decided() const { return !same_value && !same_thread; }
};

class StoreExamples {
 public:
  static constexpr std::size_t most_of_key = 16;

  struct Example {
    SharedStore store;
    std::uint64_t number;  ///< in the order of the launch
    RawFinding finding;    ///< as a race
  };
  struct OfKey {
    Key key;
    std::uint64_t teams = 1;  ///< that made stores of the key
    std::uint64_t apart = 0;  ///< of these, between lanes of different threads
    std::vector<Example> examples;
    /// Before the value is known: one of a word by lanes of one thread, and one by lanes of different ones.
    bool wants(std::uintptr_t address, bool same_thread) const {
      if (examples.size() == most_of_key) return false;
      for (Example const& e : examples)
        if (e.store.address == address && e.store.same_thread == same_thread) return false;
      return true;
    }
  };

  /// Where the key's are kept; `make()` gives the finding, as a race, which is called if it is wanted.
  template <class Make>
  std::uint32_t add(SharedStore const& store, Make make) {
    std::uint32_t const entry = entry_of(store.key);
    if (m_keys[entry].wants(store.address, store.same_thread))
      m_keys[entry].examples.push_back({store, m_next++, make()});
    return entry;
  }
  OfKey const* find(Key const& key) const {
    auto const found = m_index.find(key);
    return found == m_index.end() ? nullptr : &m_keys[found->second];
  }
  OfKey* find(Key const& key) { return const_cast<OfKey*>(std::as_const(*this).find(key)); }
  /// Takes those of a team, behind those of earlier ones: teams add up.
  void merge(StoreExamples&& team);
  void clear();

 private:
  std::uint32_t entry_of(Key const& key);

  std::vector<OfKey> m_keys;
  std::unordered_map<Key, std::uint32_t, KeyHash> m_index;
  std::uint64_t m_next = 0;
};

}  // namespace teamsan::detect
