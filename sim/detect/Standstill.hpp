// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// deadlock, where lanes wait in the system: for a lock of the host's, say, that another lane holds and will never give back.
/// That nobody gets on is for others to know (process/Standstill.hpp); lanes that wait in the machine are Divergence.cpp's.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>
#include <vector>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

/// A lane of a running team, which some thread has in the middle of a system call.
struct WaitingLane {
  Team const* team = nullptr;
  std::uint32_t index = 0;              ///< in the team
  Site site{};                ///< one past the instruction; 0: not known
  std::vector<Site> callers;  ///< return addresses, innermost first
};

/// Makes the finding: about the first of these lanes in league order, and the first one that waits elsewhere.
void report_standstill(std::vector<WaitingLane> lanes);

}  // namespace teamsan::detect
