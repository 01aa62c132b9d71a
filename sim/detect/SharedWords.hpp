// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What teams did to words that several of them touched, in a launch in which atomics order teams: there the first team
/// cannot stand for the others (GlobalShadow.hpp), since a third may be ordered with it and not with the second. Of a word
/// the latest 64 accesses that differ in order are kept, of a launch a million: beyond that a conflict may be missed, none
/// is invented, and the report says so (NotJudged.hpp).
#pragma once

#include "../../traces/Site.hpp"
#include "../machine/AtomicOrder.hpp"

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace teamsan::detect {

/// An access of a team that has been committed.
struct PastAccess {
  std::uint32_t team = 0;
  std::uint16_t lane = 0;
  std::uint16_t tick = 0;  ///< AtomicOrder::Moment's
  Site site{};
  std::uint8_t bytes = 0;  ///< mask, of the word
  bool writes = false, atomic = false;
  AtomicOrder::Alike alike = AtomicOrder::Alike::none;
};

class SharedWords {
 public:
  /// nullptr: no accesses of this word were kept.
  std::vector<PastAccess> const* of(std::uintptr_t word_address) const;
  void add(std::uintptr_t word_address, PastAccess const& access);

  /// Of the word's accesses some were given up for later ones, and this one would race with one of them if nothing
  /// ordered the two.
  bool lacks_some_for(std::uintptr_t word_address, PastAccess const& access) const;
  /// Accesses of further words were not kept.
  bool full() const { return m_full; }

  /// A team that was not the first wrote the word without having read it before.
  void note_blind_write(std::uintptr_t word_address);
  /// Those of its teams that wrote, but for the first, had all read the word before, as far as is known.
  bool was_always_read_first(std::uintptr_t word_address) const;

 private:
  struct Word {
    std::vector<PastAccess> accesses;
    std::size_t next = 0;  ///< to be replaced, once it is full
    bool blind_write = false;
    std::uint8_t given_up = 0;  ///< a bit for each `kind` of access
  };
  static unsigned kind(bool writes, bool atomic) { return writes | unsigned{atomic} << 1; }
  std::unordered_map<std::uintptr_t, Word> m_words;
  std::size_t m_count = 0;
  bool m_full = false;
};

}  // namespace teamsan::detect
