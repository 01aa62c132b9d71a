// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From an access to a verdict, off the hot path: which memory is it, which Cells, and which rule says something.
/// Each rule is a file of its own: Race.cpp, Uninit.cpp, Bounds.cpp, WrongSpace.cpp; this header is what they share.
#pragma once

#include "../base/Access.hpp"
#include "Describe.hpp"
#include "OnReport.hpp"
#include "TeamChecks.hpp"
#include "../findings/RawFinding.hpp"
#include "../machine/Team.hpp"

#include <cstdint>

namespace teamsan {
struct Allocation;
}

namespace teamsan::detect {

/// One word or byte of an access.
struct Piece {
  Cell& first;
  Cell& second;
  std::uintptr_t address;
};

/// The whole decision about an access by the running lane. `is_range`: of any alignment, as a copy touches them.
void check_access(Access const& access, bool is_range);

// ---- the rules ----
struct RacedAccess {
  bool is = false;
  bool told = false;  ///< and further words with it: where who is told of a word is not for others to say (RacedWords.hpp)
};
/// Looks for an unordered earlier access and records this one. With `count` it is also reported.
RacedAccess check_race(Team& team, Access const& access, Target const& target, Piece const& piece, bool count);
/// The bytes were never written, as far as this team can know: kept until the interval ends.
void note_uninit(Team& team, Access const& access, Target const& target);
/// The bytes are no one's.
void out_of_bounds(Team& team, Access const& access, Target const& target, std::uintptr_t address);
void misaligned(Team& team, Access const& access);
/// The address is one that a null pointer reaches. Was it given for scratch? Then that is a finding.
bool through_refused_scratch(Team& team, Access const& access);
/// No memory of this team's: another lane's stack, stale scratch, the kernel object, host memory.
void outside(Team& team, Access const& access);

/// Live memory that this kernel may not touch: another context's allocation, a system one that the device cannot reach.
void closed_allocation(Team& team, Access const& access, std::uintptr_t address, Allocation const& owner);

/// --halt-on-error: if the team's new finding is an error that counts, the program ends here.
void halt_on_error(Team& team, RawFinding const& finding);
/// Counts a further finding of that key or makes one by `make()`.
template <class Make>
bool add_finding(Team& team, Key const& key, Make make, LaneIs lane = LaneIs::at_the_access) {
  FindingList& known = findings(team);
  if (known.count_again(key)) return true;
  known.add(key, make());
  notify_debugger(*known.find(key), team.launch().facts, lane);
  halt_on_error(team, *known.find(key));
  return true;
}

}  // namespace teamsan::detect
