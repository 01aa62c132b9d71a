/// nesting: constructs inside constructs that the hierarchy league > team > thread > vector lane does not have, and kernels
/// inside kernels.
#pragma once

#include <teamsan/sim/machine/Lane.hpp>

#include <cstdint>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

/// A lane inside `scopes` (a bit per Scope) comes to a meeting.
void check_meeting_nesting(Team& team, std::uint32_t scopes, Meeting meeting, std::uintptr_t site);

/// A lane inside `scopes` enters a further one.
void check_scope_nesting(Team& team, std::uint32_t scopes, Scope scope, std::uintptr_t site);

}  // namespace teamsan::detect
