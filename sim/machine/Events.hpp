// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the machine tells the rules of a running team: static calls at meetings, switches and ends, none for an access that the
/// callbacks decide in line. Declared here, and each defined in the file of the rule that it is for (detect): the machine knows
/// no rule. What it tells of launches and of warps: LaunchEvents.hpp, WarpEvents.hpp.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"
#include "../base/Lane.hpp"
#include "../memory/Cell.hpp"

#include <cstdint>
#include <string_view>

namespace teamsan {

class Team;
struct OwnArrayIndex;
struct VolatileLoad;

namespace events {

/// The running lane is about to be left, or all lanes have met, and Team::Due::stores was set.
void stores_made(Team& team);
/// A barrier interval, or the team, has ended, and Team::Due::reads was set. `floor`: see Team.
void interval_ended(Team& team, Who floor);
/// The team has passed a barrier, and Team::Due::barrier was set: its lanes go on at this tick.
void barrier_passed(Team& team, std::uint32_t tick);
/// What the running lane's latest volatile load saw was there by now.
void volatile_load_made(Team& team, VolatileLoad const& load);
/// The running lane accesses memory on a construct's behalf, in bytes of any alignment.
void construct_accessed(Access const& access);

/// The running lane's index lies outside an array of its own; the access goes elsewhere.
void left_own_array(Team& team, OwnArrayIndex const& array, Site site);
/// It reads so many bytes of a variable of its own, of that name (empty: a temporary), whose life is over.
void read_what_is_gone(Team& team, std::string_view name, std::uint32_t bytes, Site site);

/// The running lane calls a virtual function of an object that the host made, in memory or (`of_functor`) in the functor.
void called_virtual(Team& team, std::uintptr_t object, bool of_functor, Site site);

/// All lanes that are alive wait at team meetings. True if they wait at one and the same, and none has ended.
bool team_waits(Team& team);
/// All lanes of the thread wait at thread meetings: at the same one?
bool thread_waits(Team& team, std::uint32_t thread);
/// Some lanes of the thread wait for others that are elsewhere or have ended.
void thread_apart(Team& team, std::uint32_t thread);
/// The lanes that are left wait, or repeat themselves, and nobody else can end it.
void stuck(Team& team);
/// The running lane, inside `scopes` (a bit per Scope), comes to a meeting, or enters a further scope. Of no interest is what
/// lies in a TeamThreadRange alone: a meeting, or what a thread's lanes share or pick from.
void met_inside(Team& team, std::uint32_t scopes, Meeting meeting, Site site);
void scope_entered(Team& team, std::uint32_t scopes, Scope scope, Site site);
/// An exception left the kernel on the running lane; `what` may be nullptr.
void threw(Team& team, char const* what);

}  // namespace events
}  // namespace teamsan
