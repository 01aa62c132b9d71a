// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaunchState.hpp"

#include "../base/Options.hpp"
#include "../trace/Recorder.hpp"

namespace teamsan {

bool LaunchState::is_checked() const { return checked && (options().m_rules != 0 || trace::recording()); }

bool LaunchState::checks_team(std::uint64_t league_rank) const {
  if (!is_checked()) return false;
  Options const& o = options();
  if (o.team >= 0) return static_cast<std::uint64_t>(o.team) == league_rank;
  return !o.quick || league_rank == 0 || league_rank + 1 == facts.config.league_size;
}

}  // namespace teamsan
