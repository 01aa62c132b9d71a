// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kokkos makes some atomics out of others: a plain load before a compare-and-swap loop, a plain load and
/// store under one of its locks for types that the hardware cannot swap. Those plain accesses are parts of an
/// atomic. Its hash map orders what inserting lanes share by compare-and-swap and volatile loads, and so does
/// its memory pool: a race of an insertion or allocation is only one with plain accesses outside it.
#pragma once

#include "../../traces/Site.hpp"

namespace teamsan::detect {

/// has_code(KokkosCode::atomic, site), remembered per instruction.
bool is_atomic_code(Site site);

/// Is the access by this instruction an atomic, or a part of one? Asked of both sides of a race, and of a read of what nobody
/// wrote.
inline bool is_part_of_atomic(bool atomic, Site site) { return atomic || is_atomic_code(site); }

/// The same of KokkosCode::atomic_loop: a host's load and compare-and-swap for an update that a GPU has one instruction for.
bool is_atomic_loop(Site site);

/// The same of KokkosCode::locked_update: under a lock of Kokkos' own.
bool is_under_kokkos_lock(Site site);

/// A plain load that a host makes for an atomic: of a loop that may replace nothing, or under a lock; or a store there. Other
/// code of is_atomic_code reads what anybody may, and much of it: maps that are searched.
inline bool is_load_for_atomic(Site site) { return is_under_kokkos_lock(site) || is_atomic_loop(site); }

}  // namespace teamsan::detect
