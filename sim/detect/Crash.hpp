/// A lane that ends in any way but by returning: a signal, abort, a failed assertion, an exception, a stack overflow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

/// An exception left the kernel; `what` may be nullptr. The lane counts as ended.
void lane_threw(Team& team, char const* what);

/// A fatal signal was raised by the running lane. Makes the finding and hands over what the team had found so far,
/// then returns; the caller ends the program. `pc` and `address` as the signal gave them.
/// `callers`: return addresses, innermost first.
void lane_crashed(Team& team, std::string const& what, std::uintptr_t pc, std::uintptr_t address,
                  std::vector<std::uintptr_t> callers);

}  // namespace teamsan::detect
