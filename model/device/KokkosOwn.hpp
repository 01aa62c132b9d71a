// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What Kokkos' own code does in level-0 scratch when lanes reduce, scan or hand round a value: warp accesses that stand in no
/// kernel's body. Decided from the sources of Kokkos 5.2's backends (Cuda/Kokkos_Cuda_ReduceScan.hpp and _Team.hpp, and HIP's)
/// for a launch's shape. An instruction counts for each warp that comes by it, whether or not a lane takes part: nvcc makes
/// predicates of these branches, and a chip's counters hold such instructions too.
///
/// What is measured: an sm_90, traces/hardware/h200_kernels.csv. What nvcc makes of a team's reduction hangs on its values:
/// whole numbers of 4 bytes have fewer, wider loads; minima and maxima have branches, which warps pass by. Values of more than
/// 8 bytes are taken for doubles. AMD: from the source alone, teams only. Other vendors' backends: zero.
#pragma once

#include "Device.hpp"

#include <cstdint>

namespace teamsan::model {

struct OwnAccesses {
  std::uint64_t loads = 0, stores = 0;  ///< of warps
};

/// What a compiler's code for a reduction hangs on.
struct ReducedValue {
  bool narrow = false;     ///< 4 bytes or less
  bool branching = false;  ///< joined by a store under a condition, as minima and maxima are
};

/// One by one team: team_reduce, team_scan, team_broadcast, and what they are part of.
OwnAccesses team_reduce_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length,
                                 ReducedValue value = {});
OwnAccesses team_scan_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length);
OwnAccesses team_broadcast_accesses(Device const& device, std::uint32_t team_size, std::uint32_t vector_length);

/// All of a parallel_reduce over a RangePolicy: so many blocks of 256 threads, in which warps make `updates` rounds, if the
/// body reads memory, or 0. The value that lanes add to lies in scratch, too: a compiler that cannot tell whether the body
/// reads it stores it in each round, else once a warp.
OwnAccesses range_reduce_accesses(Device const& device, std::uint64_t blocks, std::uint64_t updates);
/// All of a parallel_scan over a RangePolicy: so many blocks of 128 threads, and the rounds of all of them.
OwnAccesses range_scan_accesses(Device const& device, std::uint64_t blocks, std::uint64_t rounds, bool body_reads);

}  // namespace teamsan::model
