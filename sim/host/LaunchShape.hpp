// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// In which shape a kernel is launched: its geometry, its scratch, which code it is, and the sizes of the allocations that its
/// functor's Views point to. Equal numbers mean equal shapes; within one process only.
#pragma once

#include "../base/Lane.hpp"
#include "../base/LaunchConfig.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan {

std::uint64_t launch_shape(LaunchConfig const& config, LaneFunction function, void const* kernel, std::size_t kernel_bytes);

}  // namespace teamsan
