// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a kernel costs a device at least, as far as memory and launches go: the largest of three times, each as if nothing
/// else counted. Scratch: each compute unit that has teams makes one wavefront a clock. Memory: all sectors at the memory's
/// full rate, as if no cache held any (the memory side of a roofline). Launches: so many empty kernels. Decides from counts and
/// the device's figures; arithmetic, latency and caches it cannot see, so it ranks kernels and predicts no seconds.
#pragma once

#include "Device.hpp"

#include <algorithm>
#include <cstdint>

namespace teamsan::model {

/// What all launches of a kernel did.
struct KernelWork {
  std::uint64_t launches = 0;
  std::uint64_t teams = 0;       ///< of all launches
  std::uint64_t wavefronts = 0;  ///< in scratch
  std::uint64_t sectors = 0;     ///< of device memory
};

enum class CostBound : std::uint8_t { scratch, memory, launches };

struct ModelledCost {
  double scratch = 0, memory = 0, launches = 0;  ///< seconds
  double seconds() const { return std::max({scratch, memory, launches}); }
  CostBound bound() const {
    if (seconds() == launches) return CostBound::launches;
    return seconds() == memory ? CostBound::memory : CostBound::scratch;
  }
};

/// Of a device whose rates are not known: all zero.
ModelledCost modelled_cost(Device const& device, KernelWork const& work);

}  // namespace teamsan::model
