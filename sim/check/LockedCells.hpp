// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Plain accesses under a lock that Kokkos takes for an atomic of more bytes than the hardware swaps: parts of that atomic, and
/// atomic to a team's cells from the start. (An atomic store leaves the lane's own plain one in the cell; a plain one takes its
/// place.) All that a lane does while it holds a lock goes the long way, where the instruction decides: user code may run under
/// the lock, too. Flat words ask each instruction by themselves (AtomicPart).
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"
#include "../machine/RunningTeam.hpp"
#include "../memory/Hot.hpp"
#include "Access.hpp"

#include <cstdint>

namespace teamsan {

/// The running lane holds one more, or one less. That others run meanwhile costs time alone: the instruction decides.
inline void take_kokkos_lock() {
  if (hot.locks == 255) return;
  ++hot.locks;
  if (hot.watch == Watch::checked || hot.watch == Watch::range) hot.set_watch(Watch::locked);
}
inline void leave_kokkos_lock() {
  if (hot.locks == 0 || --hot.locks != 0 || hot.watch != Watch::locked) return;
  hot.set_watch(running_team().unlogged_watch());
}

/// What the access is, by a lane that holds one.
Access part_of_locked_atomic(Access access);

template <class Next>
struct LockedCells {
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access(std::uintptr_t address, Site site) {
    if (hot.locks != 0) [[unlikely]] return slow_access<bytes, kind>(address, site);
    Next::template access<bytes, kind>(address, site);
  }
};

}  // namespace teamsan
