// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "TeamCount.hpp"

#include <algorithm>

namespace teamsan {

void TeamCount::add(std::uint64_t launch, std::uint64_t teams) {
  auto const at = std::lower_bound(m_entries.begin(), m_entries.end(), launch,
                                   [](Entry const& entry, std::uint64_t l) { return entry.launch < l; });
  if (at != m_entries.end() && at->launch == launch) {
    m_lower_bound = m_lower_bound || (at->teams != 0 && teams != 0);
    at->teams = std::max(at->teams, teams);
  } else {
    m_entries.insert(at, {launch, teams});
  }
  if (m_entries.size() > max_entries) fold();
}

void TeamCount::merge(TeamCount const& other) {
  for (Entry const& entry : other.m_entries) add(entry.launch, entry.teams);
  m_lower_bound = m_lower_bound || other.m_lower_bound || (m_folded_launches != 0 && other.m_folded_launches != 0);
  m_folded_teams = std::max(m_folded_teams, other.m_folded_teams);
  m_folded_launches = std::max(m_folded_launches, other.m_folded_launches);
}

std::uint64_t TeamCount::teams() const noexcept {
  std::uint64_t sum = m_folded_teams;
  for (Entry const& entry : m_entries) sum += entry.teams;
  return sum;
}

std::uint64_t TeamCount::launches() const noexcept { return m_folded_launches + m_entries.size(); }

void TeamCount::fold() {
  auto const half = m_entries.begin() + max_entries / 2;
  for (auto it = m_entries.begin(); it != half; ++it) m_folded_teams += it->teams;
  m_folded_launches += max_entries / 2;
  m_entries.erase(m_entries.begin(), half);
}

}  // namespace teamsan
