// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How many teams of a launch a compute unit holds at a time, and what keeps it from holding more: lanes, teams, level-0
/// scratch, registers. Decides from the launch's shape and the device's figures alone; how long teams run, and whether
/// resident warps have work, it cannot see.
///
/// The rule, in words. A team takes whole warps. Of warps a unit holds so many; of teams so many; scratch is given out in
/// units, with what the vendor's runtime keeps for each team; a partition's registers are shared out to its warps in units.
/// The least of the four counts. It is CUDA's calculator (cuda_occupancy.h) and HIP's
/// (hipOccupancyMaxActiveBlocksPerMultiprocessor), which differ in figures alone: HIP knows no limit of teams. The carve-out
/// between scratch and first-level cache follows the launch (CUDA raises it as far as the launch can use).
///
/// Measured: all 846 rows of h200_occupancy.csv (sm_90). Documented: AMD, 396 of 403 rows of gfx90a_occupancy.csv.
#pragma once

#include "Device.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan::model {

enum class OccupancyLimit : std::uint8_t { lanes, teams, scratch, registers };

/// What a team takes.
struct TeamShape {
  std::uint32_t lanes = 1;               ///< team_size * vector_length
  std::size_t scratch = 0;               ///< bytes of level 0, what Kokkos adds included
  std::uint32_t registers_per_lane = 0;  ///< 0: unknown, and no limit
};

struct Occupancy {
  static constexpr std::uint32_t unlimited = ~0u;
  std::uint32_t teams = 0;  ///< resident on a compute unit; 0: the launch does not fit
  std::uint32_t warps = 0;  ///< of them all
  std::uint32_t most_warps = 0;  ///< that a unit can hold
  std::uint32_t by[4] = {};      ///< teams that each OccupancyLimit alone allows; unlimited: any number
  OccupancyLimit limit = OccupancyLimit::lanes;  ///< the first of those that allow least
  double share() const { return most_warps == 0 ? 0 : static_cast<double>(warps) / most_warps; }
};

/// A device whose UnitCapacity is not known gives an Occupancy of zeros.
Occupancy occupancy(Device const& device, TeamShape const& shape);

/// Waves of a league: rounds in which the whole device takes as many teams as it holds. The last is full to `last_fill`.
struct Waves {
  std::uint64_t count = 0;
  double last_fill = 0;  ///< 0 to 1
  /// The tail effect: the part of all places for teams, over all waves, that stays empty; 0 to 1. It is time lost if teams
  /// take about the same time.
  double empty() const { return count == 0 ? 0 : (1 - last_fill) / static_cast<double>(count); }
};
Waves waves(Device const& device, Occupancy const& of_teams, std::uint64_t league_size);

/// The most scratch of level 0 that a team may take if `teams` of them are to be resident, Kokkos' share included; 0 if that
/// many never are.
std::size_t scratch_for(Device const& device, std::uint32_t teams);

/// Level-0 scratch that Kokkos' backend for the device adds to what a team policy's kernel asked for, in bytes: CUDA's and
/// HIP's parallel_for keep 8 * (team_size + 2) for reductions (Cuda/Kokkos_Cuda_Parallel_Team.hpp).
std::size_t kokkos_scratch(Device const& device, std::uint32_t team_size);

}  // namespace teamsan::model
