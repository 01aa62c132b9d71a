// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The two barriers of a workgroup, with WGSL's names and the guarantees that differ:
///
/// | | lanes of the team wait for each other | what they did to memory before is seen after |
/// |---|---|---|
/// | workgroup_barrier(member) | yes | by every lane of the team |
/// | storage_barrier(member)   | no  | it orders the calling lane's own accesses, no more |
///
/// workgroup_barrier is Kokkos' team_barrier: all lanes of the team must reach it. storage_barrier is Kokkos'
/// memory_fence: it makes a flag that is stored after it, and read by an atomic before another lane's
/// storage_barrier, mean that what was stored before the flag can be read. It lets nobody wait; in its place
/// workgroup_barrier's would be a race (found on the simulated GPU as scratch-race or global-race). It may
/// stand in divergent code.
///
/// Source: Kokkos' documentation of TeamHandle::team_barrier and memory_fence. WGSL's own storageBarrier()
/// does both.
#pragma once

#include <Kokkos_Core.hpp>

namespace teamsan {

template <class Member>
KOKKOS_FORCEINLINE_FUNCTION void workgroup_barrier(Member const& member) {
  member.team_barrier();
}

template <class Member>
KOKKOS_FORCEINLINE_FUNCTION void storage_barrier(Member const&) {
  Kokkos::memory_fence();
}

}  // namespace teamsan
