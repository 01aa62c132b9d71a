// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// lost-contribution, of reductions over a TeamPolicy. A lane makes one call there for each team that it is a lane of: on a GPU
/// a block runs several teams of a large league, on a host a thread does, and the value goes on from call to call. Here each
/// call has a value of its own; so what the lanes of a launch's first teams store without having read it is compared, lane by
/// lane, with what the same lanes of the teams before have left, as if one lane had made their calls (Accumulators.hpp).
///
/// A nested reduction or scan whose result goes straight into the value stores to it as the body itself would.
///
/// Errs towards silence: of a lane is told only what it does in each of the teams that were looked at, two at least; and a
/// construct that leaves a value of the lanes' own in it (a single with a value, a broadcast, team_reduce) has read it.
#pragma once

#include "Overwrites.hpp"
#include "../base/Access.hpp"
#include "../base/ReducedValue.hpp"
#include "../findings/RawFinding.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace teamsan::detect {

/// What lanes of one team made of their values: those whose value counts, and which had stored to it without having read it.
struct ReducedByTeam {
  struct Lane {
    Overwrites overwrites;
    ValueCopy value;
    bool of_construct;  ///< it was a nested reduction's result
  };
  void const* kernel = nullptr;  ///< null: the team was not looked at
  ReducedValueCalls calls{};
  std::size_t bytes = 0;
  std::map<std::uint32_t, Lane> lanes;
};

/// Of one team while it runs.
class TeamAccumulators {
 public:
  /// For the lane, one of so many: room for its value, which is `initial` now.
  void* begin(std::uint32_t lane, std::uint32_t lanes, void const* initial, std::size_t bytes);
  void clear() {
    m_room.clear();
    m_lanes.clear();
  }
  bool watches(std::uintptr_t address) const { return address - m_begin < m_stride * m_lanes.size(); }

  /// An access of the running lane to one of the values. `result`: it is a nested reduction's.
  void note(Access const& access, bool result = false);
  /// All lanes have ended. Of each thread that of lane 0 counts.
  ReducedByTeam end(std::uint32_t vector_length, void const* kernel, ReducedValueCalls const& calls);

 private:
  struct Lane {
    Overwrites overwrites;
    bool of_construct = false;
  };
  static constexpr std::size_t alignment = 256;

  std::uintptr_t m_begin = 0;
  std::size_t m_bytes = 0, m_stride = 0;
  std::vector<std::byte> m_room;
  std::vector<Lane> m_lanes;
};

/// Of a launch's first teams, in league order.
class ReducedByTeams {
 public:
  void add(std::uint64_t league_rank, ReducedByTeam&& team);
  /// The launch has ended.
  void judge(FindingList& findings) const;

 private:
  std::vector<std::pair<std::uint64_t, ReducedByTeam>> m_teams;
};

}  // namespace teamsan::detect
