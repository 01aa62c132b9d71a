// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Words of device memory on which iterations of a launch race that is judged team by team: who was first to conflict there,
/// and what was told of it. So that the same pair of lanes is told as in a flat launch (Conflicts.hpp), whichever accesses the
/// shadow of the team, and that of all teams, still know when a later one comes. Only what races comes here.
#pragma once

#include "Conflicts.hpp"
#include "../base/LaunchConfig.hpp"
#include "../findings/RawFinding.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace teamsan::detect {

class RacedWords {
 public:
  /// Is it for them to say what is told of such a launch? It is one whose lanes never meet, and have numbers of 32 bits.
  static bool decide(LaunchConfig const& config) {
    return config.is_range() && config.vector_length == 1 && config.league_size < ~std::uint32_t{0} / config.team_size;
  }

  /// What is told of two kinds of access that conflict on a word.
  struct Told {
    bool is = false;
    Key key{};                ///< of the finding
    std::uint64_t count = 0;  ///< so often it was counted for this word
  };
  struct Word {
    std::vector<FlatShadow::Late> accesses = {};  ///< of each kind the first two lanes that are known
    std::array<Told, conflicting_kinds> told = {};

    void add(AccessKind kind, FlatShadow::Mark mark, std::uint32_t tick);
    /// The same of an instruction and a lane that may not be the one of its team that touched the byte by it. Nothing, where
    /// that one is known; and no pair with its own team's lanes.
    void add_one_of(std::uint32_t team_size, AccessKind kind, FlatShadow::Mark mark, std::uint32_t tick);
    bool is_one_of(JoinedAccess const& access) const;
    Told& told_of(AccessKind a, AccessKind b) { return told[index_of_kinds(a, b)]; }
  };

  /// `most`: words that are kept. Of further ones each pair that is found is told.
  explicit RacedWords(std::size_t most) : m_most(most) {}

  /// Of the byte at this address, and of a word as of its first byte; it is kept from here on. nullptr: there is no room.
  Word* at(std::uintptr_t address);
  Word* find(std::uintptr_t address);
  bool empty() const { return m_words.empty(); }
  void clear() {
    if (!m_words.empty()) m_words = {};
  }
  /// Those of a team that has been committed, as far as they are not known.
  void append(RacedWords&& team);

 private:
  std::size_t m_most;
  std::unordered_map<std::uintptr_t, Word> m_words;
};

}  // namespace teamsan::detect
