// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Which reads of a launch find what nobody wrote.
#pragma once

#include "Oracle.hpp"
#include "TouchLog.hpp"

#include <cstdint>
#include <vector>

namespace property::bytes {

/// Was a byte of device memory written?
enum class Init : std::uint8_t { no, perhaps, yes };
/// By array; none of scratch, which each team has anew.
using DeviceMemory = std::vector<std::vector<Init>>;
DeviceMemory before_kernels(Case const& c);

/// `device`: before the launch.
void add_uninit_reads(TouchLog const& log, DeviceMemory const& device, Expected& expected);
/// What the launch writes.
void write(TouchLog const& log, DeviceMemory& device);

}  // namespace property::bytes
