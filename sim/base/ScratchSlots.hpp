// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which slot of the arena a team has its scratch in. Teams of a launch take a number of slots in turn: a pointer kept from one
/// team is stale in all of those behind it but every so-manyth, and so many run at a time. Slots are the same with any number
/// of workers, since what is stale hangs on them. Teams that begin while all those before them wait have slots of their own.
#pragma once

#include "Arena.hpp"

#include <cstdint>
#include <iterator>

namespace teamsan::scratch_slots {

/// In turn: of traces that do not say so, and of programs that run.
inline constexpr std::uint32_t of_older_traces = 32, of_programs = arena::scratch_slots;

namespace detail {
inline std::uint32_t in_turn = of_programs;
/// Slots of a group lie side by side. Between two groups there is more than one, and no power of two of groups: the largest int
/// as an index of numbers, whatever their size, does not lead from one team's scratch to another's.
inline constexpr std::uint32_t group = 32, groups[] = {0, 3, 9, 15};
inline constexpr std::uint32_t behind_groups = arena::scratch_slots > group ? 16 * group : group;
static_assert(arena::scratch_slots == group || arena::scratch_slots == group * std::size(groups));
static_assert(behind_groups < arena::all_scratch_slots);
}  // namespace detail

/// For a replay, before any launch: as many as the program had, one of the two numbers above.
inline void take_in_turn(std::uint32_t count) { detail::in_turn = count; }
inline std::uint32_t in_turn() { return detail::in_turn; }

inline std::uint32_t of_team(std::uint64_t league_rank) {
  auto const turn = static_cast<std::uint32_t>(league_rank % detail::in_turn);
  return detail::groups[turn / detail::group] * detail::group + turn % detail::group;
}

/// Where that one is taken, since all teams of a worker wait for long.
inline std::uint32_t beside(std::uint64_t league_rank) {
  std::uint32_t const first = detail::in_turn == of_older_traces ? detail::group : detail::behind_groups;
  return first + static_cast<std::uint32_t>(league_rank % (arena::all_scratch_slots - first));
}

/// May a team that began in its turn have it?
inline bool is_in_turn(std::uintptr_t slot) {
  for (std::uint32_t turn = 0; turn < detail::in_turn; turn += detail::group)
    if (std::uint32_t const first = of_team(turn); slot - first < detail::group) return true;
  return false;
}

}  // namespace teamsan::scratch_slots
