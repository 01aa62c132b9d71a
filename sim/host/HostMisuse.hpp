// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// wrong-space and out-of-bounds, seen from the host: device memory touched by host code, a bad free, and what a copy or
/// a prefetch that the host asks for must not touch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace teamsan {
struct Access;
}

namespace teamsan::detect {

/// Host code touches an address of the arena; of kind `none`: would have, had Kokkos not refused (RefusedAccess.hpp).
void host_access(Access const& access);

/// Something was freed that allocate did not return, or was freed already.
void bad_free(void* pointer);

/// A USM allocation is freed in a context that is not its own.
void free_in_other_context(void* pointer, std::uint32_t context);

/// The bytes of a copy, a fill or a prefetch ("copy") in an instance of that context. False, with a finding, if they are
/// not all of one live allocation, or belong to another context; true for memory that is not the device's.
bool check_transfer(char const* what, char const* preposition, std::uintptr_t begin, std::size_t bytes,
                    std::uint32_t context);

}  // namespace teamsan::detect
