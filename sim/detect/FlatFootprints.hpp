// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a flat launch has touched, line by line, once it has ended: for missing-fence among instances. Its workers have held
/// each stretch of memory that a lane came to (memory/FlatHolds.hpp); the words of those are gone through.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/FlatShadow.hpp"
#include "PendingLines.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace teamsan::detect {

class FlatFootprints {
 public:
  /// Of some bytes of a line: the first lane that so accessed them.
  struct Deed {
    FlatShadow::Mark mark;
    Mask bytes = 0;
    AccessKind kind = AccessKind::none;
  };
  /// A line comes. True: each word of it matters by itself; false: lanes of a team, by one instruction, are as good as one.
  using Begin = std::function<bool(Allocation const&, std::uintptr_t line)>;
  /// What was done there, in the order of the league; by a team, of its bytes.
  using End = std::function<void(std::uintptr_t line, std::vector<Deed> const&)>;

  /// Lanes from `lanes` on count for nothing: they are of teams behind one that crashed.
  FlatFootprints(FlatShadow& flat, std::uint64_t launch, std::uint64_t lanes);

  /// By address. Allocations are held.
  void for_each(Begin const& begin, End const& end);

 private:
  void gather(std::uintptr_t from, std::uintptr_t to, bool word_by_word);
  void word(std::uintptr_t address, FlatWord word, bool alike);
  void aside(std::uintptr_t address);
  void add(FlatShadow::Mark mark, std::uintptr_t address, Mask bytes, AccessKind kind, bool alike = false);

  FlatShadow& m_flat;
  std::uint64_t const m_launch, m_lanes;
  std::vector<Site> const m_sites;
  std::vector<Deed> m_deeds;  ///< of the line that is gone through
  struct Latest {
    std::size_t deed = 0;
    std::uint32_t first_lane = 0, lanes = 0;  ///< of its team
  };
  std::array<Latest, 5> m_latest{};  ///< by kind
  std::array<std::size_t, 3> m_of_word{};  ///< deeds that the latest word is in
  std::size_t m_of_word_count = 0;
};

}  // namespace teamsan::detect
