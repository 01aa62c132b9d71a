// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Occupancy.hpp"

#include <algorithm>

namespace teamsan::model {

namespace {

template <class Number>
Number rounded_up(Number value, Number unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

Occupancy occupancy(Device const& device, TeamShape const& shape) {
  UnitCapacity const& unit = device.unit;
  Occupancy result;
  if (unit.warps == 0 || shape.lanes == 0) return result;
  std::uint32_t const warps = (shape.lanes + device.warp_width - 1) / device.warp_width;
  auto& by = result.by;
  auto& [by_lanes, by_teams, by_scratch, by_registers] = by;
  by_lanes = shape.lanes > device.max_team_lanes ? 0 : unit.warps / warps;
  by_teams = unit.teams == 0 ? Occupancy::unlimited : unit.teams;
  std::size_t const taken = rounded_up<std::size_t>(shape.scratch + device.scratch_reserved, unit.scratch_unit);
  if (shape.scratch + device.scratch_reserved > unit.scratch || shape.scratch > device.scratch_opt_in)
    by_scratch = 0;
  else
    by_scratch = taken == 0 ? Occupancy::unlimited : static_cast<std::uint32_t>(unit.scratch / taken);
  if (shape.registers_per_lane == 0)
    by_registers = Occupancy::unlimited;
  else if (shape.registers_per_lane > device.registers_per_thread)
    by_registers = 0;
  else
    by_registers = unit.registers / rounded_up(shape.registers_per_lane, unit.register_unit) * unit.partitions / warps;
  auto const* const least = std::min_element(std::begin(by), std::end(by));
  result.limit = static_cast<OccupancyLimit>(least - by);
  result.teams = *least;
  result.warps = result.teams * warps;
  result.most_warps = unit.warps;
  return result;
}

Waves waves(Device const& device, Occupancy const& of_teams, std::uint64_t league_size) {
  std::uint64_t const at_a_time = std::uint64_t{device.compute_units} * of_teams.teams;
  if (at_a_time == 0 || league_size == 0) return {};
  std::uint64_t const last = league_size % at_a_time;
  return {(league_size + at_a_time - 1) / at_a_time,
          last == 0 ? 1 : static_cast<double>(last) / static_cast<double>(at_a_time)};
}

std::size_t scratch_for(Device const& device, std::uint32_t teams) {
  if (teams == 0) return 0;
  std::size_t const each = device.unit.scratch / teams / device.unit.scratch_unit * device.unit.scratch_unit;
  return each <= device.scratch_reserved ? 0 : std::min(each - device.scratch_reserved, device.scratch_opt_in);
}

std::size_t kokkos_scratch(Device const& device, std::uint32_t team_size) {
  return device.scratch_withheld == 0 ? 0 : 8 * (std::size_t{team_size} + 2);
}

}  // namespace teamsan::model
