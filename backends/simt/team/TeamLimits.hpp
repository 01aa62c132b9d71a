// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What one team may ask of the modelled GPU: lanes, scratch, league. Decided from model/device alone, with
/// the arithmetic of Kokkos' CUDA backend (Cuda/Kokkos_Cuda_BlockSize_Deduction.hpp and _Parallel_Team.hpp),
/// so that a launch is refused here when the real backend refuses it, in its words. It cannot see how many
/// registers a kernel needs: it takes it that they never limit a block.
#pragma once

#include "../../../sim/host/Launch.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

namespace teamsan::simt {

/// The scratch bytes a block of that many lanes needs, reduction area included.
using BlockScratch = std::function<std::size_t(int lanes)>;

struct LaunchBounds {
  unsigned max_lanes = 0;   ///< Kokkos::LaunchBounds' maxTperB; 0: none
  unsigned min_blocks = 0;  ///< its minBperSM; 0: none
};

/// Bytes Kokkos' team collectives take of level 0 ahead of the user's.
constexpr std::size_t reduce_area(int team_size) {
  return sizeof(double) * (static_cast<std::size_t>(team_size) + 2);
}

/// Lanes of a warp of the modelled device.
std::uint32_t warp_width();

int vector_length_max();
/// Largest power of two not above the request, within 1 and vector_length_max().
int vector_length(int requested);

/// What policy.scratch_size_max(level) says.
int scratch_size_max(int level);
/// Level-0 scratch a block may have in all.
std::size_t block_scratch_max();

/// The most lanes a block may have, in steps of 32 from the device's limit down; 0: not even one step fits.
int block_size_max(BlockScratch const& scratch, LaunchBounds bounds);
/// The block size by which most lanes run at once on a multiprocessor, as CUDA's occupancy rule picks it.
int block_size_recommended(BlockScratch const& scratch, LaunchBounds bounds);

/// Throw (after the `limit` finding) in the words of Kokkos' CUDA backend, Simt in place of Cuda.
void check_league_size(LaunchConfig const& config);
void check_policy_team_size(LaunchConfig const& config);
/// `pattern`: parallel_for or parallel_reduce.
void check_team_size(LaunchConfig const& config, std::string_view pattern, int maximum);
/// `requested` bytes of level 0 besides the `reserved` ones of the reduction areas.
void check_scratch_level0(LaunchConfig const& config, std::string_view pattern, std::size_t requested,
                          std::size_t reserved);
void check_scratch_level1(LaunchConfig const& config, std::string_view pattern, std::size_t requested);
/// What CUDA and HIP ask of a team reduction over an array whose length is known at run time only.
/// `bytes` of one value; TeamSan keeps a lane's value on the lane's stack.
void check_array_reduction(LaunchConfig const& config, std::size_t bytes);

}  // namespace teamsan::simt
