/// Kokkos makes some atomics out of others: a plain load before a compare-and-swap loop, a plain load and
/// store under one of its locks for types that the hardware cannot swap. Those plain accesses are parts of an
/// atomic. Its hash map orders what inserting lanes share by compare-and-swap and volatile loads, and so does
/// its memory pool: a race of an insertion or allocation is only one with plain accesses outside it.
#pragma once

#include <cstdint>

namespace teamsan::detect {

/// True for instructions inside Kokkos' atomics library (desul), UnorderedMap::insert, find and erase, and
/// MemoryPool, by their line table. Remembered per instruction.
bool is_atomic_code(std::uintptr_t pc);

/// True for instructions of the loops that Kokkos makes, on a host, of atomics that the host has no instruction for.
bool is_atomic_loop(std::uintptr_t pc);

/// True for instructions inside Kokkos' pools of random number generators, whose states are handed out under locks.
bool is_random_pool(std::uintptr_t pc);

}  // namespace teamsan::detect
