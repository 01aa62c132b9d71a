// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// In how many teams of how many launches a finding was made. Findings carry the number of teams of one
/// launch, not which: two findings of one launch that turn out to be the same line pair are taken to be in
/// the same teams, so the number is a lower bound that never exceeds the league.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace teamsan {

class TeamCount {
 public:
  void add(std::uint64_t launch, std::uint64_t teams);
  void merge(TeamCount const& other);

  std::uint64_t teams() const noexcept;
  std::uint64_t launches() const noexcept;
  /// Two figures of one launch were put together: there may be more.
  bool is_lower_bound() const noexcept { return m_lower_bound; }

 private:
  struct Entry {
    std::uint64_t launch, teams;
  };
  void fold();

  static constexpr std::size_t max_entries = 4096;
  std::vector<Entry> m_entries;                             ///< ascending launches
  bool m_lower_bound = false;
  std::uint64_t m_folded_teams = 0, m_folded_launches = 0;  ///< of launches too long ago to be met again
};

}  // namespace teamsan
