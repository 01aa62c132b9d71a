// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamAccumulators.hpp"

#include "../findings/Sentences.hpp"
#include "../memory/Hot.hpp"
#include "../machine/Team.hpp"

#include <cstring>
#include <utility>

namespace teamsan::detect {

void* TeamAccumulators::begin(std::uint32_t lane, std::uint32_t lanes, void const* initial, std::size_t bytes) {
  if (m_lanes.empty()) {
    m_bytes = bytes;
    m_stride = (bytes + alignment - 1) / alignment * alignment;
    m_lanes.resize(lanes);
    m_room.resize(lanes * m_stride + alignment);
    auto const at = reinterpret_cast<std::uintptr_t>(m_room.data());
    m_begin = (at + alignment - 1) / alignment * alignment;
  }
  m_lanes[lane].overwrites.next_iteration();
  auto* const value = reinterpret_cast<void*>(m_begin + lane * m_stride);
  std::memcpy(value, initial, bytes);
  return value;
}

void TeamAccumulators::note(Access const& access, bool result) {
  std::size_t const offset = access.address - m_begin;
  if (offset % m_stride >= m_bytes) return;
  Lane& lane = m_lanes[offset / m_stride];
  // What a construct leaves in all lanes may be made of what was there.
  Access as = access;
  if (hot.lane->storing_result && !result) as.kind = AccessKind::read;
  if (result) lane.of_construct = true;
  lane.overwrites.note(as, offset % m_stride, m_bytes);
}

ReducedByTeam TeamAccumulators::end(std::uint32_t vector_length, void const* kernel, ReducedValueCalls const& calls) {
  ReducedByTeam team{kernel, calls, m_bytes, {}};
  for (std::uint32_t i = 0; i < m_lanes.size(); i += vector_length) {
    auto& [overwrites, of_construct] = m_lanes[i];
    overwrites.end_iteration();
    auto const value = reinterpret_cast<void const*>(m_begin + i * m_stride);
    if (overwrites.any()) team.lanes.emplace(i, ReducedByTeam::Lane{overwrites, ValueCopy(m_bytes, value), of_construct});
  }
  return team;
}

void ReducedByTeams::add(std::uint64_t league_rank, ReducedByTeam&& team) {
  m_teams.emplace_back(league_rank, std::move(team));
}

void ReducedByTeams::judge(FindingList& findings) const {
  if (m_teams.size() < 2) return;
  ReducedByTeam const& first = m_teams.front().second;
  for (auto const& [lane, of_first] : first.lanes) {
    std::vector<Reduced> calls;
    for (auto const& [rank, team] : m_teams)
      if (auto const found = team.lanes.find(lane); found != team.lanes.end())
        calls.push_back({&found->second.overwrites, std::as_const(found->second.value).data()});
    if (calls.size() != m_teams.size()) continue;
    for (std::size_t const i : those_that_drop(calls, true, first.kernel, first.calls, first.bytes)) {
      Overwrites const& overwrites = *calls[i].overwrites;
      if (findings.count_again(overwrites.key())) continue;
      RawFinding f = overwrites.finding(m_teams[i].first, lane);
      f.why = {because(Reason::team_value_overwritten), because(Reason::one_team_each)};
      bool const several = first.lanes.size() > 1;
      f.fix = remedy(of_first.of_construct ? Cure::reduce_into_own
                     : several             ? Cure::combine_once_a_team
                                           : Cure::combine_with_accumulator);
      findings.add(overwrites.key(), std::move(f));
    }
  }
}

}  // namespace teamsan::detect
