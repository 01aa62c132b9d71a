// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// DualView on the simulated GPU: its sides are told of, for stale-copy (sim/host/DualViews.hpp).
#pragma once

#include "../Fwd.hpp"

#include "../../../sim/host/DualViews.hpp"

#include <cstddef>
#include <type_traits>

namespace teamsan::simt {

/// Of a DualView whose sides lie in the device's own memory and in the host's.
template <class Device, class Host>
void note_sides(Device const& device, Host const& host, unsigned const* flags) {
  if constexpr (std::is_same_v<typename Device::memory_space, SimtSpace>)
    if (device.span() == host.span())
      note_dual_view({device.data(), host.data(), device.span() * sizeof(typename Device::value_type), flags});
}

}  // namespace teamsan::simt
