// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the machine tells of a launch, while teams are committed in league order. Declared here and defined above, in
/// detect/LaunchChecks.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace teamsan {

class LaneRows;
class Team;
struct LaunchState;
struct TeamResult;

namespace detect {
struct TeamFindings;
}

namespace events {

/// Accesses of the team that lie far back are not told apart any more.
void forgot_old_accesses(LaunchState const& launch, std::uint64_t league_rank);
/// Teams are about to run on all workers; it is known whether the launch is flat.
void teams_begin(LaunchState const& launch);
/// The team has ended, and its turn may not have come: takes what of its commit needs no turn, and gives what is left, lines of
/// its shadow. Nothing: all is. By any worker.
std::optional<std::vector<std::uint32_t>> join_early(LaunchState const& launch, Team& team);
/// The team's turn has come, in league order: what it did takes effect. True: the program is to end at what it found.
bool commit(LaunchState const& launch, TeamResult& team);
/// The first team is committed, and was plain: lanes of the others join what they do into the global shadow. False: it has too
/// many instructions for that (memory/FlatWord.hpp).
bool turns_flat(LaunchState const& launch);
/// The first team is committed, and arithmetic knows what lanes of the others access: they are about to run unseen. False:
/// there are other instances, and what these, or this launch, have pending is known by what lanes are seen to do.
bool runs_unseen(LaunchState const& launch, LaneRows const& rows);
/// All teams up to `last_team` are committed. `crashed`: a lane of it did.
void launch_ended(LaunchState const& launch, std::uint64_t last_team, bool crashed);
/// The program ends in the middle of the launch. `quiet`: no team is being committed. `kept`: results that wait for their
/// turn, with their ranks; `running`: teams that may run on meanwhile. `gathered` is called once they were looked at.
void report_so_far(LaunchState const& launch, bool quiet,
                   std::span<std::pair<std::uint64_t, detect::TeamFindings*> const> kept, std::span<Team* const> running,
                   std::function<void()> const& gathered);

}  // namespace events
}  // namespace teamsan
