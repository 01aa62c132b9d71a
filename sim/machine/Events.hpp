// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the machine tells whoever watches: static calls at meetings, switches and ends, none for an access that the callbacks
/// decide in line. Declared here and defined above, in detect/TeamEvents.cpp and detect/LaunchChecks.cpp: the machine knows
/// no rule.
#pragma once

#include <teamsan/sim/base/Access.hpp>
#include <teamsan/sim/base/Lane.hpp>
#include <teamsan/sim/memory/Cell.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace teamsan {

class Team;
class TeamShadow;
class TickMap;
struct LaunchState;
struct TeamResult;
struct VolatileLoad;
struct WarpRecord;

namespace detect {
struct TeamChecks;
struct TeamFindings;
}  // namespace detect

namespace events {

struct Discard {
  void operator()(detect::TeamChecks* checks) const noexcept;
  void operator()(detect::TeamFindings* found) const noexcept;
};
/// What the rules keep of a running team, and what of it outlives the team.
using TeamChecks = std::unique_ptr<detect::TeamChecks, Discard>;
using TeamFindings = std::unique_ptr<detect::TeamFindings, Discard>;

TeamChecks make_team_checks();

// ---- a team, on its own thread ----
/// It is about to begin: its checks are as new. Its findings may be there, empty, or not.
void team_begins(Team& team);
/// The team is done, or ended in the middle: what was found.
TeamFindings take_findings(Team& team);
/// Is there nothing to tell of the team, and has it done nothing that hangs on what others do?
bool is_plain(Team& team);
/// To be used again by this team or another one; null is none.
void give_back_findings(Team& team, TeamFindings&& found);

/// The running lane is about to be left, or all lanes have met, and Team::Due::stores was set.
void stores_made(Team& team);
/// A barrier interval, or the team, has ended, and Team::Due::reads was set. `floor`: see Team.
void interval_ended(Team& team, Who floor);
/// The team has passed a barrier, and Team::Due::barrier was set: its lanes go on at this tick.
void barrier_passed(Team& team, std::uint32_t tick);
/// What the running lane's latest volatile load saw was there by now.
void volatile_load_made(Team& team, VolatileLoad const& load);
/// Lanes of the warp have made this access together (Team::counts_warps), between two synchronisations of the warp.
void warp_accessed(Team& team, WarpRecord const& record, std::uint32_t warp);
/// Before, for all of these accesses, if lanes are missing in some of them; and once they have been told.
void warp_will_access(Team& team, WarpRecord const& record);
void warp_window_ended(Team& team);
/// All lanes of the team have met at a construct (Team::counts_warps).
void team_has_met(Team& team, Meeting meeting);
/// The running lane accesses memory on a construct's behalf, in bytes of any alignment.
void construct_accessed(Access const& access);

/// All lanes that are alive wait at team meetings. True if they wait at one and the same, and none has ended.
bool team_met(Team& team);
/// All lanes of the thread wait at thread meetings: at the same one?
bool thread_met(Team& team, std::uint32_t thread);
/// Some lanes of the thread wait for others that are elsewhere or have ended.
void thread_apart(Team& team, std::uint32_t thread);
/// The lanes that are left wait, or repeat themselves, and nobody else can end it.
void stuck(Team& team);
/// The running lane, inside `scopes` (a bit per Scope), comes to a meeting, or enters a further scope.
void met_inside(Team& team, std::uint32_t scopes, Meeting meeting, std::uintptr_t site);
void scope_entered(Team& team, std::uint32_t scopes, Scope scope, std::uintptr_t site);
/// An exception left the kernel on the running lane; `what` may be nullptr.
void threw(Team& team, char const* what);

/// The team's ticks are about to be numbered anew (memory/TickMap.hpp): adds those that the checks go by. Then renews them.
void add_ticks(Team& team, std::vector<std::uint32_t>& ticks);
void renew_ticks(Team& team, std::function<void(Who&)> const& renew);

// ---- a launch ----
/// Accesses of the team that lie far back are not told apart any more.
void forgot_old_accesses(LaunchState const& launch, std::uint64_t league_rank);
/// The team's turn has come, in league order: what it did takes effect. True: the program is to end at what it found.
bool commit(LaunchState const& launch, TeamResult& team);
/// The first team is committed, and was plain: lanes of the others join what they do into the global shadow.
void turns_flat(LaunchState const& launch);
/// All teams up to `last_team` are committed. `crashed`: a lane of it did.
void launch_ended(LaunchState const& launch, std::uint64_t last_team, bool crashed);
/// The program ends in the middle of the launch. `quiet`: no team is being committed. `kept`: results that wait for their
/// turn, with their ranks; `running`: teams that may run on meanwhile. `gathered` is called once they were looked at.
void report_so_far(LaunchState const& launch, bool quiet,
                   std::span<std::pair<std::uint64_t, detect::TeamFindings*> const> kept, std::span<Team* const> running,
                   std::function<void()> const& gathered);

}  // namespace events
}  // namespace teamsan
