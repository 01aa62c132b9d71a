// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How an MDRangePolicy is cut into tiles on the simulated GPU: CUDA's directions, default tile sizes and
/// limits (Cuda/Kokkos_Cuda_MDRangePolicy.hpp), bounded by the modelled device's block size.
#pragma once

#include "../spaces/ExecutionSpace.hpp"
#include "../versions/TileSizes.hpp"

#include <KokkosExp_MDRangePolicy.hpp>
#include <impl/Kokkos_TeamMDPolicy.hpp>

namespace teamsan::simt {

/// Lanes of a block: the modelled device's limit.
int max_block_lanes();
/// Iterations of a tile: CUDA's 512, or less on a smaller device.
int max_tile_size();

}  // namespace teamsan::simt

namespace Kokkos {

template <>
struct default_outer_direction<teamsan::Simt> {
  using type = Iterate;
  static constexpr Iterate value = Iterate::Left;
};

template <>
struct default_inner_direction<teamsan::Simt> {
  using type = Iterate;
  static constexpr Iterate value = Iterate::Left;
};

namespace Impl {

template <>
struct TileSizeRecommended<teamsan::Simt> {
  template <typename Policy>
  static auto get(Policy const&) {
    constexpr int rank = Policy::rank;
    constexpr int sizes[6][6] = {{256},         {64, 4},          {32, 2, 4},
                                 {16, 2, 2, 4}, {16, 2, 4, 2, 1}, {8, 4, 2, 2, 2, 1}};
    typename Policy::tile_type tile{};
    for (int i = 0; i < rank; ++i) {
      tile[Policy::inner_direction == Iterate::Left ? i : rank - 1 - i] = sizes[rank - 1][i];
    }
    return tile;
  }
};

template <>
inline TileSizeProperties get_tile_size_properties<teamsan::Simt>(teamsan::Simt const&) {
  return teamsan::simt::tile_size_properties<TileSizeProperties>(
      teamsan::Simt::concurrency(), teamsan::simt::max_tile_size(), teamsan::simt::max_block_lanes());
}

/// Nested MD ranges spread over threads and vector lanes as on the other accelerators.
template <typename Rank, TeamMDRangeThreadAndVector both>
struct ThreadAndVectorNestLevel<Rank, teamsan::Simt, both> : AcceleratorBasedNestLevel<Rank, both> {};

}  // namespace Impl
}  // namespace Kokkos
