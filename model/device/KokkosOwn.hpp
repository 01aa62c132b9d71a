/// What Kokkos' own code does in level-0 scratch when the lanes of a team reduce, scan or hand round a value: warp accesses
/// that stand in no kernel's body. Decided by going through the steps of Kokkos 5.2's CUDA backend (Cuda/Kokkos_Cuda_Team.hpp,
/// Cuda/Kokkos_Cuda_ReduceScan.hpp) for a team's shape; a value of up to 8 bytes is taken, which is one access. What it cannot
/// see: instructions that nvcc carries out for warps of which no lane takes part, which a chip's counters hold too. Other
/// vendors' backends are not modelled: zero.
#pragma once

#include <teamsan/model/device/Device.hpp>

#include <cstdint>

namespace teamsan::model {

struct OwnAccesses {
  std::uint64_t loads = 0, stores = 0;  ///< of warps
};

/// One by one team: team_reduce, team_scan, team_broadcast, and what they are part of.
OwnAccesses team_reduce_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length);
OwnAccesses team_scan_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length);
OwnAccesses team_broadcast_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length);

}  // namespace teamsan::model
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
