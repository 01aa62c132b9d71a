// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a backend knows of the allocation that Kokkos is about to ask for, and Kokkos does not hand on: kept for the calling
/// thread until its next teamsan::allocate.
#pragma once

#include "../base/Api.hpp"
#include "../memory/Shape.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan {

/// It is for a View of that shape, if its size is that of the shape, or of `elements` where more are allocated than an index
/// reaches.
TEAMSAN_API void shape_next_allocation(Shape const& shape, std::uint64_t elements = 0);
/// What was said of the next allocation and not taken yet is void.
TEAMSAN_API void forget_next_shape();
/// For allocate(): the shape, if one of `bytes` (rounded up to 8) was announced; it is taken in any case.
Shape take_next_shape(std::size_t bytes);

/// It is a system allocation: of Space::host_pinned, so that lanes' accesses to it are checked like all others, but no pinned
/// memory that counts against the limit.
TEAMSAN_API void usm_next_is_system();
/// For allocate().
bool take_next_is_system();

}  // namespace teamsan
