// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What reports call the memory that an address lies in, of those that all teams see: allocations of device memory, shared
/// ones (malloc_shared, SharedSpace), host-pinned ones.
#pragma once

#include "Arena.hpp"

namespace teamsan {

constexpr char const* memory_name(std::uintptr_t address) {
  if (arena::contains(arena::shared, arena::shared_bytes, address)) return "shared memory";
  if (arena::contains(arena::pinned, arena::pinned_bytes, address)) return "host-pinned memory";
  return "device memory";
}

}  // namespace teamsan
