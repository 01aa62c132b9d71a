// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kokkos' check that a View is not touched from a space that cannot reach its memory. Kokkos decides it at
/// compile time, by which compiler pass runs; kernels here are compiled as host code, so for device memory it
/// is decided at run time: a lane may, the host gets a finding and Kokkos' usual message. (With the overlay the lane does
/// not even come here.) A lane that touches a host View is let through: the access itself becomes the
/// `wrong-space` finding, with the source line and the lane, where Kokkos would end the kernel without the
/// View's label. Every access of a View's element comes here: no more than a compiler takes in line.
#pragma once

#include "../spaces/ExecutionSpace.hpp"

#include "../../../sim/machine/Lane.hpp"

#include <cstdint>

namespace teamsan::simt {

/// Ends the program with Kokkos' message. `label` is null for an unmanaged View.
[[noreturn, gnu::cold]] void inaccessible(char const* label);
/// The bits of a SharedAllocationTracker: by value, since a tracker whose address is handed on may be changed by any call,
/// for all that the compiler knows, and its View's members would be read again and again in a loop over lanes.
using TrackerBits = std::uintptr_t;
/// The same for what is tracked.
[[noreturn, gnu::cold]] void inaccessible(TrackerBits tracker);
/// The same where Kokkos brings the message and does not say of which View.
[[noreturn, gnu::cold]] void refuse(char const* message);

}  // namespace teamsan::simt

namespace Kokkos::Impl {

// Kokkos' checks by version: of any View until 4.6, of one made of an mdspan since then. Declared here, so that the one
// that a version does not have is of no consequence.
template <class MemorySpace, class AccessSpace, bool>
struct RuntimeCheckViewMemoryAccessViolation;
template <class MemorySpace, class AccessSpace, bool>
struct RuntimeCheckBasicViewMemoryAccessViolation;

template <class AccessSpace>
struct RuntimeCheckBasicViewMemoryAccessViolation<teamsan::SimtSpace, AccessSpace, false> {
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckBasicViewMemoryAccessViolation(
      SharedAllocationTracker const& tracker) {
    if (!teamsan::in_kernel()) [[unlikely]] {
      if (tracker.has_record())
        teamsan::simt::inaccessible(reinterpret_cast<teamsan::simt::TrackerBits const&>(tracker));
      else
        teamsan::simt::inaccessible(nullptr);
    }
  }
};

template <class AccessSpace>
struct RuntimeCheckViewMemoryAccessViolation<teamsan::SimtSpace, AccessSpace, false>
    : RuntimeCheckBasicViewMemoryAccessViolation<teamsan::SimtSpace, AccessSpace, false> {
  template <class Track, class Map>
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckViewMemoryAccessViolation(char const*, Track const& track, Map const&)
      : RuntimeCheckBasicViewMemoryAccessViolation<teamsan::SimtSpace, AccessSpace, false>(track.m_tracker) {}
};

template <>
struct RuntimeCheckBasicViewMemoryAccessViolation<HostSpace, teamsan::Simt, false> {
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckBasicViewMemoryAccessViolation(SharedAllocationTracker const&) {}
};

template <>
struct RuntimeCheckViewMemoryAccessViolation<HostSpace, teamsan::Simt, false> {
  template <class Track, class Map>
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckViewMemoryAccessViolation(char const*, Track const&, Map const&) {}
};

template <>
struct RuntimeCheckMemoryAccessViolation<HostSpace, teamsan::Simt, false> {
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckMemoryAccessViolation(char const* const) {}
};

template <class AccessSpace>
struct RuntimeCheckMemoryAccessViolation<teamsan::SimtSpace, AccessSpace, false> {
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckMemoryAccessViolation(char const* const message) {
    if (!teamsan::in_kernel()) [[unlikely]]
      teamsan::simt::refuse(message);
  }
};

}  // namespace Kokkos::Impl
