// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>

#include "MDRangePolicy.hpp"

#include "../../../model/device/Device.hpp"
#include "../../../sim/base/Options.hpp"

#include <algorithm>

namespace teamsan::simt {

int max_block_lanes() { return static_cast<int>(options().model().max_team_lanes); }
int max_tile_size() { return std::min(512, max_block_lanes()); }

}  // namespace teamsan::simt
