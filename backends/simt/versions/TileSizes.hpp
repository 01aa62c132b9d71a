// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What MDRangePolicy asks a backend about tiles. TileSizeProperties has lost and gained members over the versions:
/// `default_largest_tile_size` and `default_tile_size` until tile sizes were recommended by TileSizeRecommended (5.0),
/// `max_threads_dimensions` since 5.1.
#pragma once

#include "Accepts.hpp"

namespace Kokkos::Impl {

// Declared for versions that do not ask.
template <class>
struct TileSizeRecommended;

}  // namespace Kokkos::Impl

namespace teamsan::simt {

template <class Properties>
Properties tile_size_properties(int max_threads, int max_total_tile_size, int max_block_lanes) {
  Properties properties{};
  properties.max_threads = max_threads;
  properties.max_total_tile_size = max_total_tile_size;
  if constexpr (accepts<Properties&>([](auto& with) -> decltype(void(with.default_largest_tile_size)) {})) {
    properties.default_largest_tile_size = 16;
    properties.default_tile_size = 2;
  }
  if constexpr (accepts<Properties&>([](auto& with) -> decltype(void(with.max_threads_dimensions)) {})) {
    // CUDA's block dimensions: x and y up to the block's size, z up to 64.
    properties.max_threads_dimensions[0] = max_block_lanes;
    properties.max_threads_dimensions[1] = max_block_lanes;
    properties.max_threads_dimensions[2] = 64;
  }
  return properties;
}

}  // namespace teamsan::simt
