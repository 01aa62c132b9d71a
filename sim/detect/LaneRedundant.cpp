// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneRedundant.hpp"

#include "../base/Options.hpp"
#include "../base/Shard.hpp"
#include "Checker.hpp"
#include "LaunchChecks.hpp"
#include "SameAmount.hpp"
#include "../findings/Sentences.hpp"
#include "../trace/TeamTrace.hpp"

#include <fmt/format.h>

#include <bit>

namespace teamsan::detect {

namespace {

constexpr std::uint32_t one_lane_or_its_share = 1u << static_cast<unsigned>(Scope::thread_vector_range) |
                                                1u << static_cast<unsigned>(Scope::team_vector_range) |
                                                1u << static_cast<unsigned>(Scope::single_per_team) |
                                                1u << static_cast<unsigned>(Scope::single_per_thread);

}  // namespace

void LaneRedundant::note(Team& team, std::uintptr_t address, std::uint32_t bytes, std::uint64_t before,
                         std::uint64_t after, Site site) {
  Lane const& lane = hot.lane->lane;
  if ((hot.lane->scopes & one_lane_or_its_share) || (hot.lane->holds & holds::lane_value) || !team.checked() ||
      !options().enabled(Rule::lane_redundant))
    return;
  bool const scratch = address - hot.scratch_begin < hot.scratch_bytes;
  if (!scratch && (!arena::contains(arena::global, arena::global_bytes, address) || !shard.judges(address))) return;
  trace::note(trace::EventKind::before, site, before);
  trace::note(trace::EventKind::after, site, after);
  RuntimeScope const scope;
  Key const key{address, site, lane.thread};
  if (m_updates.size() >= most_updates && !m_updates.contains(key)) {
    team.launch().checks->not_judged().add(Shortfall::updates, team.league_rank());
    return;
  }
  Update& update = m_updates[key];
  std::uint64_t const me = 1ull << lane.vector_lane;
  if (update.lanes & me) return;
  if (update.lanes == 0) {
    update.before = before;
    update.after = after;
  } else {
    bool const same = same_amount(bytes, {update.before, update.after}, {before, after});
    update.alike = update.alike && same && before != update.before;
  }
  update.lanes |= me;
  if (!update.alike || static_cast<std::uint32_t>(std::popcount(update.lanes)) != lane.vector_length) return;
  Target const target{scratch, address, nullptr};
  add_finding(team, {Rule::lane_redundant, site, Site{}, data_id(team, target)}, [&] {
    RawFinding f;
    f.rule = Rule::lane_redundant;
    f.title = "the same atomic update by every vector lane of a thread";
    f.data = describe(team, target, bytes);
    f.sides.push_back(running_side(team, {address, bytes, AccessKind::atomic_write, site}));
    f.why = {because(Reason::repeated_update, lane.vector_length)};
    f.fix = remedy(Cure::single_or_share);
    return f;
  });
}

}  // namespace teamsan::detect
