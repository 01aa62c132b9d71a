// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The simulated GPU's memory as the host sees it: allocate, free, copy, clear. All addresses lie in one arena
/// (Arena.hpp), so that a lane's access is classified by one subtraction and a compare.
#pragma once

#include "../base/Api.hpp"
#include "../memory/Allocations.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace teamsan {

struct AllocationRequest;

/// `header_bytes` at the start belong to the caller (Kokkos' allocation header) and are out of bounds for lanes.
/// The result is aligned to 256 bytes plus `header_bytes`' own size.
TEAMSAN_API void* allocate(Space space, std::size_t bytes, std::size_t header_bytes, std::string_view label);

/// The same for a request in full; of a replay, say.
TEAMSAN_API void* allocate(AllocationRequest const& request, bool limited);

/// Frees what allocate returned. The bytes stay poisoned: a later access is a use-after-free finding.
/// Freeing anything else is a finding, not a crash.
TEAMSAN_API void deallocate(void* pointer);

/// Copies between any two spaces, host included. Whether a byte is initialised travels with it.
TEAMSAN_API void copy(void* destination, void const* source, std::size_t bytes);

/// Clears to zero; the bytes count as initialised.
TEAMSAN_API void zero(void* destination, std::size_t bytes);

/// What `limited` asks: does the modelled device, or the machine for pinned memory, have that much more? Throws
/// OutOfMemory, with a finding, if not.
void check_memory_limit(Space space, std::size_t bytes, std::string_view label);

/// What copies and fills leave known of device memory, without touching it.
void note_copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes);
void note_initialised(std::uintptr_t to, std::size_t bytes);

/// True for addresses in the arena's device, shared or pinned memory.
TEAMSAN_API bool is_device_address(void const* pointer) noexcept;

}  // namespace teamsan
