// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The life of the word that a finding is about: what lanes did to it in the finding's launch, as a trace knows it
/// (sim/report/WordLives.hpp). Plain data, and the table that a person reads.
#pragma once

#include "Finding.hpp"
#include "../places/Symbolizer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan {

/// One access. A lane's accesses by the same instruction in the same interval are one, with a count.
struct WordTouch {
  std::uint64_t interval = 0, league = 0;
  std::uint32_t thread = 0, vector_lane = 0;
  AccessKind access = AccessKind::none;
  std::uint32_t bytes = 0;
  std::uint64_t count = 1;
  Place place;
  std::string source;  ///< the source line, without its end; empty: not readable
  int side = -1;       ///< it is that side of the finding, from 0; -1: none
};

struct WordLife {
  std::vector<WordTouch> touches;  ///< by interval, league, lane, and as the lane did them; empty: not known
  std::uint64_t left_out = 0;      ///< touches beyond these
};

/// "write", "atomic read".
char const* touch_word(AccessKind access);

/// A line a touch, those of the finding marked by >, under a line of column names, and the places below; at most 80
/// columns but for long paths. Neighbouring lanes, threads or teams that do alike share a line. Empty without touches.
std::string word_life_table(WordLife const& life);

}  // namespace teamsan
