// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The same material, written a second time from its equations: whole 3x3 matrices, one point after the
/// other, the return mapping solved exactly along the pieces of the yield curve. Shares with the kernel
/// nothing but Parameters.hpp.
#pragma once

#include "Increments.hpp"

#include <vector>

namespace material {

struct SerialPoint {
  double stress[3][3] = {};  ///< in the material's axes
  double plastic_strain = 0, damage = 0, largest_stress = 0, dissipation = 0;
};

struct SerialResult {
  std::vector<SerialPoint> points;
  std::vector<bool> eroded;  ///< elements
};

SerialResult run_serial(std::vector<Increment> const& increments);

}  // namespace material
