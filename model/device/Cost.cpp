// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Cost.hpp"

namespace teamsan::model {

ModelledCost modelled_cost(Device const& device, KernelWork const& work) {
  ModelledCost cost;
  if (device.clock_hz == 0 || device.memory_rate == 0 || work.launches == 0) return cost;
  double const teams = static_cast<double>(work.teams) / static_cast<double>(work.launches);
  double const units = std::clamp(teams, 1.0, static_cast<double>(std::max(device.compute_units, 1u)));
  cost.scratch = static_cast<double>(work.wavefronts) / (units * device.clock_hz);
  cost.memory = static_cast<double>(work.sectors) * device.sector_bytes / device.memory_rate;
  cost.launches = static_cast<double>(work.launches) * device.launch_seconds;
  return cost;
}

}  // namespace teamsan::model
