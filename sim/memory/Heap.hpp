// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where allocations of the simulated GPU's global memory lie, and what is known of them. Makes no finding and writes no
/// trace: who allocates (host/Memory.hpp) does, in a function that is called while nobody else allocates or frees.
#pragma once

#include "../../traces/Site.hpp"
#include "Allocations.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

namespace teamsan {

struct AllocationRequest {
  Space space = Space::device;
  std::size_t bytes = 0;         ///< header included
  std::size_t header_bytes = 0;  ///< at the start: the caller's, out of bounds for lanes
  std::string_view label;
  Shape shape = {};     ///< of the View that it is for
  bool system = false;  ///< a USM allocation of that kind: counts against no limit
  bool zeroed = true;   ///< holds zeros where it was used before; in a replay nobody looks
  std::vector<Site> calls = {};  ///< the host's: return addresses, innermost first
};

namespace heap {

/// Takes place for it. Throws OutOfMemory where there is none.
Allocation& allocate(AllocationRequest const& request, std::function<void(Allocation const&)> const& made);

/// Frees the block that begins there. False: there is none. `freed` is called while its bytes can still be read, or with
/// nullptr.
bool deallocate(void* pointer, std::function<void(Allocation const*)> const& freed);

/// Bytes in that space that count against its limit.
std::size_t taken(Space space);

}  // namespace heap
}  // namespace teamsan
