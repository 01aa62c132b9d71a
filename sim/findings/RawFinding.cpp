// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RawFinding.hpp"

#include "Ending.hpp"

#include <fmt/format.h>

namespace teamsan::detect {

bool is_for_all_shards(RawFinding const& f) {
  return f.data.kind == Data::Kind::view || rule_info(f.rule).after == After::ends_team;
}

void FindingList::keep_global() {
  keep_if([](RawFinding const& finding) { return is_for_all_shards(finding); });
}

void FindingList::drop_those_of_none() {
  keep_if([](RawFinding const& finding) { return finding.count != 0; });
}

void FindingList::keep_if(bool (*keeps)(RawFinding const&)) {
  if (std::ranges::all_of(m_list, [&](auto const& entry) { return keeps(entry.second); })) return;
  Change const change(*this);
  std::erase_if(m_list, [&](auto const& entry) { return !keeps(entry.second); });
  m_index.clear();
  for (std::size_t i = 0; i != m_list.size(); ++i) m_index.emplace(m_list[i].first, i);
}

void FindingList::merge(FindingList&& team) {
  FindingList taken(std::move(team));
  for (auto& [key, finding] : taken.m_list) {
    auto const found = m_index.find(key);
    if (found == m_index.end()) {
      add(key, std::move(finding));
    } else {
      m_list[found->second].second.count += finding.count;
      m_list[found->second].second.teams += finding.teams;
      m_list[found->second].second.at_least |= finding.at_least;
    }
  }
}

Finding finish(RawFinding&& raw, LaunchFacts const& launch) {
  Finding f;
  f.rule = raw.rule;
  f.severity = raw.severity;
  f.title = std::move(raw.title);
  f.kernel = launch.config.label;
  f.policy = policy_text(launch.config);
  f.launch = launch.number;
  f.league_size = launch.config.league_size;
  f.region = launch.config.region;
  f.launched = launch.calls;
  f.data = std::move(raw.data);
  f.why = std::move(raw.why);
  f.fix = std::move(raw.fix);
  f.message = std::move(raw.message);
  f.sync_alone = raw.sync_alone;
  f.on_team_order = raw.on_team_order;
  f.count = raw.count;
  f.teams = raw.teams;
  f.count_at_least = f.teams_at_least = raw.at_least;
  f.of_blocks = !launch.config.lanes_meet();
  for (RawSide& s : raw.sides) {
    Side side;
    side.access = s.access;
    side.bytes = s.bytes;
    side.has_lane = s.lane.known;
    side.actor = s.actor;
    side.league = s.lane.league;
    side.thread = s.lane.index / launch.config.vector_length;
    side.vector_lane = s.lane.index % launch.config.vector_length;
    side.warp = s.lane.index / launch.warp_width;
    side.has_interval = s.has_interval;
    side.interval = s.interval;
    side.site = s.site;
    side.callers = std::move(s.callers);
    side.role = std::move(s.role);
    f.sides.push_back(std::move(side));
  }
  return f;
}

bool ends_the_program(RawFinding const& raw, LaunchFacts const& launch) {
  return teamsan::ends_the_program(finish(RawFinding(raw), launch));
}

}  // namespace teamsan::detect
