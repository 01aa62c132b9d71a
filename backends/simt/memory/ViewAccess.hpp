/// Kokkos' check that a View is not touched from a space that cannot reach its memory. Kokkos decides it at
/// compile time, by which compiler pass runs; kernels here are compiled as host code, so for device memory it
/// is decided at run time: a lane may, the host gets Kokkos' usual message. (With the overlay the lane does
/// not even come here.) A lane that touches a host View is let through: the access itself becomes the
/// `wrong-space` finding, with the source line and the lane, where Kokkos would end the kernel without the
/// View's label.
#pragma once

#include <teamsan/simt/spaces/ExecutionSpace.hpp>

#include <View/Kokkos_ViewAccessPreconditionsCheck.hpp>

#include <teamsan/sim/machine/Lane.hpp>

#include <string>

namespace teamsan::simt {

/// Ends the program with Kokkos' message. `label` is null for an unmanaged View.
[[noreturn]] void inaccessible(char const* label);

}  // namespace teamsan::simt

namespace Kokkos::Impl {

template <class AccessSpace>
struct RuntimeCheckBasicViewMemoryAccessViolation<teamsan::SimtSpace, AccessSpace, false> {
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckBasicViewMemoryAccessViolation(
      SharedAllocationTracker const& tracker) {
    if (!teamsan::in_kernel()) [[unlikely]] {
      if (tracker.has_record()) {
        teamsan::simt::inaccessible(tracker.template get_label<void>().c_str());
      } else {
        teamsan::simt::inaccessible(nullptr);
      }
    }
  }
};

template <>
struct RuntimeCheckBasicViewMemoryAccessViolation<HostSpace, teamsan::Simt, false> {
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckBasicViewMemoryAccessViolation(SharedAllocationTracker const&) {}
};

template <>
struct RuntimeCheckMemoryAccessViolation<HostSpace, teamsan::Simt, false> {
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckMemoryAccessViolation(char const* const) {}
};

template <class AccessSpace>
struct RuntimeCheckMemoryAccessViolation<teamsan::SimtSpace, AccessSpace, false> {
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckMemoryAccessViolation(char const* const message) {
    if (!teamsan::in_kernel()) [[unlikely]]
      Kokkos::abort(message);
  }
};

}  // namespace Kokkos::Impl
