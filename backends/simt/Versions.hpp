/// The range of Kokkos versions this backend was written for, and every difference between them that it has
/// to know. The backend specialises Kokkos' internal templates, which no version promises to keep. Decided
/// here, at compile time, from Kokkos' own version macros; CMake makes the same check at configure time with
/// a longer explanation.
#pragma once

#include <Kokkos_Macros.hpp>

#if KOKKOS_VERSION < 50000 || KOKKOS_VERSION >= 50300
#error "TeamSan's simulated GPU supports Kokkos 5.0 to 5.2; build it against one of these."
#endif

namespace teamsan::simt {

/// TileSizeProperties has lost and gained members over the versions: `default_largest_tile_size` and
/// `default_tile_size` until tile sizes were recommended by TileSizeRecommended, `max_threads_dimensions`
/// since then.
template <class Properties>
Properties tile_size_properties(int max_threads, int max_total_tile_size, int max_block_lanes) {
  Properties properties{};
  properties.max_threads = max_threads;
  properties.max_total_tile_size = max_total_tile_size;
  if constexpr (requires { properties.default_largest_tile_size; }) {
    properties.default_largest_tile_size = 16;
    properties.default_tile_size = 2;
  }
  if constexpr (requires { properties.max_threads_dimensions; }) {
    // CUDA's block dimensions: x and y up to the block's size, z up to 64.
    properties.max_threads_dimensions[0] = max_block_lanes;
    properties.max_threads_dimensions[1] = max_block_lanes;
    properties.max_threads_dimensions[2] = 64;
  }
  return properties;
}

}  // namespace teamsan::simt
