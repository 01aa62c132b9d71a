// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// lost-contribution, of reductions and scans: the body stores to its accumulator before it has read it, and so drops what the
/// lane's iterations before have reduced.
///
/// The lanes of a launch's first team reduce into memory that is looked at. What a lane's iteration does first to its value
/// tells: a store drops what was there. Whether anything was lost by it is asked of the values, once all lanes of the team have
/// ended, as if one lane had made the iterations of all of them, in their order; so it does not hang on how many iterations a
/// lane makes. Where a value joined with itself is itself (a maximum, a flag), each store counts that left something else than
/// a join would have, with whichever of the two values first ("any of those that were found" keeps one of them). Where it is
/// not (a sum), a store under a condition may be meant, as of a flag that is only compared with 0: those count of which each
/// iteration makes one, and different ones. A body that stores one value each time loses nothing. Of a value with several parts
/// only those are compared that were stored.
///
/// Of a scan the calls that add up are looked at, those with `final == false`; only a store that each of them makes counts.
/// Nested reductions and scans: NestedAccumulators.hpp; reductions over teams: TeamAccumulators.hpp.
///
/// Errs towards silence: the first team alone is looked at, and a read by an iteration of any part that it has not stored
/// itself is a read of all of the value. What only some iterations store is a warning: any of their values may be what is
/// wanted.
#pragma once

#include "Overwrites.hpp"
#include "../base/Access.hpp"
#include "../base/ReducedValue.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

class Accumulators {
 public:
  /// Of the team's lanes: `bytes` each, one behind the other. Nothing happens if they are looked at already.
  void begin(void const* values, std::size_t bytes, std::uint32_t lanes);
  void clear() {
    m_begin = m_bytes = 0;
    m_lanes.clear();
  }
  bool watches(std::uintptr_t address) const { return address - m_begin < m_bytes * m_lanes.size(); }

  /// The lane goes on to its next iteration.
  void next_iteration(std::uint32_t lane) { m_lanes[lane].next_iteration(); }
  /// An access of the running lane to one of the values.
  void note(Access const& access);
  /// All lanes of the team have ended: makes the finding, if there is one.
  void judge(Team& team, void const* kernel, ReducedValueCalls const& calls, bool of_scan);

 private:
  std::uintptr_t m_begin = 0;
  std::size_t m_bytes = 0;  ///< of one value
  std::vector<Overwrites> m_lanes;
};

}  // namespace teamsan::detect
