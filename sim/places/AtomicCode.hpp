// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kokkos makes some atomics out of others: a plain load before a compare-and-swap loop, a plain load and
/// store under one of its locks for types that the hardware cannot swap. Those plain accesses are parts of an
/// atomic. Its hash map orders what inserting lanes share by compare-and-swap and volatile loads, and so does
/// its memory pool: a race of an insertion or allocation is only one with plain accesses outside it.
#pragma once

#include <cstdint>

namespace teamsan::detect {

/// has_code(KokkosCode::atomic, pc), remembered per instruction.
bool is_atomic_code(std::uintptr_t pc);

/// Is the access by this instruction an atomic, or a part of one? Asked of both sides of a race, and of a read of what nobody
/// wrote.
inline bool is_part_of_atomic(bool atomic, std::uintptr_t pc) { return atomic || is_atomic_code(pc); }

/// The same of KokkosCode::atomic_loop: a host's load and compare-and-swap for an update that a GPU has one instruction for.
bool is_atomic_loop(std::uintptr_t pc);

}  // namespace teamsan::detect
