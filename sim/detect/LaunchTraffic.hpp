// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What one launch does to memory by the machine model's count: the counters of the teams that ran it, and their sums.
#pragma once

#include "../../model/device/Device.hpp"
#include "../base/PatientMutex.hpp"
#include "../findings/Traffic.hpp"

#include <vector>

namespace teamsan {
struct LaunchConfig;
}

namespace teamsan::detect {

class TrafficCounter;

class LaunchTraffic {
 public:
  explicit LaunchTraffic(model::Device const& device) : m_device(device) {}
  /// By any worker: that counter takes part.
  void join(TrafficCounter& counter);
  /// The sums of all of them; sites in an order that does not hang on workers.
  KernelTraffic take(LaunchConfig const& config);
  model::Device const& device() const { return m_device; }

 private:
  model::Device const& m_device;
  PatientMutex m_mutex;
  std::vector<TrafficCounter*> m_counters;
};

}  // namespace teamsan::detect
