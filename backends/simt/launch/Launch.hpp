// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// From a Kokkos pattern to a launch: the label, region and instance that every LaunchConfig of this backend
/// carries, and the block sizes that Kokkos' CUDA backend would pick for the policies that leave the choice
/// to it.
#pragma once

#include "../Macros.hpp"
#include "Plain.hpp"
#include "UserCode.hpp"
#include "../spaces/ExecutionSpace.hpp"
#include "../versions/TypeName.hpp"

#include "../../../sim/host/Launch.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace teamsan::simt {

/// True inside a kernel, where nothing can be launched: makes the `nesting` finding at the caller's caller. Call this first
/// in each execute().
[[gnu::noinline]] bool is_nested_launch();

/// A configuration with label, pattern, policy, region and instance filled in, of one lane. The label is the
/// one of the pattern's begin event, which is consumed: call this once in each execute(), empty ranges
/// included. `functor_name` stands in where the user gave no label.
LaunchConfig describe(Pattern pattern, Policy policy, Simt const& space, std::string_view functor_name);

template <class Functor>
LaunchConfig describe(Pattern pattern, Policy policy, Simt const& space) {
  return describe(pattern, policy, space, type_name<std::remove_const_t<Functor>>());
}

/// Lanes of a RangePolicy's block: 256, less if LaunchBounds (0: none) or the device say so.
std::uint32_t range_block_lanes(unsigned launch_bounds_lanes);

/// Lanes of a reduction's or scan's block: a power of two, halved from `preferred` until the values of its
/// lanes fit the scratch a team gets without opting in, as CUDA's local_block_size() does. Throws, after the
/// `limit` finding, in Kokkos' words when not even a warp's values fit.
std::uint32_t reduce_block_lanes(LaunchConfig const& config, std::size_t value_bytes,
                                 std::uint32_t preferred);

/// Blocks of a reduction over `work` items: as many as the device keeps resident, at least 1.
std::uint64_t reduce_blocks(std::uint64_t work, std::uint32_t block_lanes);

}  // namespace teamsan::simt
