/// Meetings that not all lanes attend: barrier-divergence, and deadlock where lanes spin for good.
#pragma once

#include <cstdint>

namespace teamsan {
class Team;
}

namespace teamsan::detect {

/// All lanes of the team that are still alive wait at team meetings. True if they wait at the same one and no lane has
/// ended; otherwise makes the finding. Lanes that wait at the same source line through different instructions
/// (a barrier that the compiler duplicated) are at the same one.
bool check_team_meeting(Team& team);

/// All lanes of the thread wait at thread meetings: the same one?
bool check_thread_meeting(Team& team, std::uint32_t thread);

/// Some lanes of the thread wait for others that are elsewhere or have ended.
void thread_diverged(Team& team, std::uint32_t thread);

/// The lanes that are left repeat themselves and nobody else can end it.
void deadlock(Team& team);

}  // namespace teamsan::detect
