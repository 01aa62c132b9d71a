// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Why lanes of a warp take no part in an access. Decides from what the lanes of the warp did between two synchronisations:
/// the k-th round of a body is known by the construct that it is in, by the place where that was entered, and by k.
///
/// A lane that the team does not have, or that Kokkos::single leaves out, is plain. A lane that made another access of the same
/// round was there: a branch leaves it out of this one. A lane that did nothing in the round had no iteration for it, or a
/// branch around all of it left it out. Ranges give iterations to lanes in order, so lanes behind the last that took part are
/// the range's remainder, and those before it a branch's (or a loop's of the kernel's own). An access under a branch that is
/// the round's only one, and leaves out a warp's last lanes, cannot be told from a remainder, and is taken for one; so are all
/// rounds of an MDRangePolicy's tiles.
#pragma once

#include "../../traces/Site.hpp"
#include "../findings/Traffic.hpp"

#include <cstdint>
#include <vector>

namespace teamsan {
class Team;
struct WarpRecord;
}  // namespace teamsan

namespace teamsan::detect {

class IdleLanes {
 public:
  /// An access of the window that begins, in which lanes are missing in some accesses.
  void expect(WarpRecord const& record);
  /// Adds the idle lanes of the access to the site's. All of a window in program order, after all have been expected.
  void count(Team const& team, WarpRecord const& record, std::uint32_t warp, AccessSite& site);
  /// The same of an access in which all of a warp's lanes take part.
  void count_full(WarpRecord const& record) {
    if (m_apart) [[unlikely]] note_full(record);
  }
  /// Lanes are missing in some accesses of the window.
  bool apart() const { return m_apart; }
  void end_window() {
    if (m_apart) m_apart = false, ++m_window, m_used = 0;
  }

 private:
  struct Round {
    std::uint64_t key = 0;
    std::uint64_t window = 0;
    std::uint64_t lanes = 0;         ///< that made some access of it
    std::uint64_t widest = 0;        ///< lanes of the latest access in which all took part that did so in any before
    Site widest_site{};  ///< its instruction
  };
  struct Masks {
    std::uint64_t vector = 0, range = 0, branch = 0;
  };

  void note_full(WarpRecord const& record);
  void note_widest(Round& round, WarpRecord const& record);
  Round& round(std::uint64_t key);
  Masks causes(Team const& team, WarpRecord const& record, std::uint64_t idle, std::uint64_t in_round);

  bool m_apart = false;
  std::uint64_t m_window = 1;
  std::size_t m_used = 0;
  std::vector<Round> m_rounds;  ///< open addressing; those of other windows are free
};

}  // namespace teamsan::detect
