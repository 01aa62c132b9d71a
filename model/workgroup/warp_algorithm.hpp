// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How warp_store and warp_load move a warp's tile of LANES x ITEMS elements, after cub::WarpStoreAlgorithm
/// and cub::WarpLoadAlgorithm. `position` is the element's place in the tile.
///
/// | algorithm | lane l's item k is element | accesses of a lane | costs (docs/workgroup.md) |
/// |---|---|---|---|
/// | direct    | l * ITEMS + k (blocked) | one an item | sectors grow with ITEMS |
/// | striped   | k * LANES + l (striped) | one an item | least sectors |
/// | vectorize | l * ITEMS + k (blocked) | of 16 bytes at most | least sectors while ITEMS fill one vector |
/// | transpose | l * ITEMS + k (blocked) | as striped, and two an item to scratch and from it | least sectors |
#pragma once

#include "inline_lambda.hpp"
#include "warp_barrier.hpp"
#include "warp_exchange.hpp"
#include "warp_items.hpp"
#include "warp_vector.hpp"

#include <Kokkos_Core.hpp>

namespace teamsan {

enum class warp_algorithm { direct, striped, vectorize, transpose };

namespace Impl {

template <int ITEMS>
KOKKOS_FORCEINLINE_FUNCTION constexpr int blocked(int lane, int k) {
  return lane * ITEMS + k;
}
template <int LANES>
KOKKOS_FORCEINLINE_FUNCTION constexpr int striped(int lane, int k) {
  return k * LANES + lane;
}

/// Says in the simulated GPU's report that vectorize was direct; nothing elsewhere.
template <class Member>
KOKKOS_FORCEINLINE_FUNCTION void say_fallback([[maybe_unused]] Member const& member,
                                              [[maybe_unused]] char const* sentence) {
  if constexpr (requires { member.impl_remark(sentence); })
    if (member.impl_vector_lane() == 0) member.impl_remark(sentence);
}

}  // namespace Impl

}  // namespace teamsan
