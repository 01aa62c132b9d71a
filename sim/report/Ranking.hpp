// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kernels by what they cost the modelled device at least (model/device/Cost.hpp): which to look at first. A table of one
/// screen, and the figures that other formats show too. Counted teams stand for those that --model-teams left out.
#pragma once

#include "../../model/device/Cost.hpp"
#include "TrafficTable.hpp"

#include <string>
#include <vector>

namespace teamsan {

struct RankedKernel {
  ReportedTraffic const* kernel;
  model::ModelledCost cost;
  double share = 0;  ///< of the program's modelled cost, 0 to 1
  MovedBytes bytes;
};

/// Most costly first; of equals, as they appeared. Empty where the device's rates are not known.
std::vector<RankedKernel> ranking(Report const& report);

/// "memory", "scratch", "launches".
std::string_view bound_name(model::CostBound bound);

/// "up to 96 of 128 wavefronts, 42.0 % of the kernel's modelled cost (3.1 us)".
std::string gain_text(Gain const& gain);

/// With its header, an empty line after it; empty where there is nothing to rank.
std::string ranking_table(Report const& report);

}  // namespace teamsan
