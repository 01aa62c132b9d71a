// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the rules keep of a team, for the machine that holds it, hands it on with the team's result and numbers its ticks anew.
/// Declared here and defined above, in detect/TeamNotes.cpp.
#pragma once

#include "../base/Lane.hpp"
#include "../memory/Cell.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace teamsan {

class Team;

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

/// It is about to begin: its checks are as new. Its findings may be there, empty, or not.
void team_begins(Team& team);
/// Is there nothing to tell of the team, so far?
bool found_nothing(Team& team);
/// Has it done nothing to an atomic by which data may be handed over?
bool handed_nothing_over(Team& team);
/// The team is done, or ended in the middle: what was found.
TeamFindings take_findings(Team& team);
/// To be used again by this team or another one; null is none.
void give_back_findings(Team& team, TeamFindings&& found);

/// The team's ticks are about to be numbered anew (memory/TickMap.hpp): adds those that the checks go by. Then renews them.
void add_ticks(Team& team, std::vector<std::uint32_t>& ticks);
void renew_ticks(Team& team, std::function<void(Who&)> const& renew);

}  // namespace events
}  // namespace teamsan
