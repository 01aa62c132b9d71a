// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// In which order the lanes of a team run: ascending (default), descending, or shuffled by the seed and the launch.
#pragma once

#include <cstdint>
#include <vector>

namespace teamsan {

/// position -> lane index; empty for ascending.
std::vector<std::uint32_t> lane_order(std::uint32_t lanes, std::uint64_t launch_number);

/// The same for teams, within each group of `group` teams (option team_order). Empty: ascending.
std::vector<std::uint32_t> team_order(std::uint32_t group, std::uint64_t launch_number);

}  // namespace teamsan
