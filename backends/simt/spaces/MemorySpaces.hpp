// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The simulated GPU's memory spaces as Kokkos sees them, and which space reaches which: the table of
/// Cuda/Kokkos_CudaSpace.hpp. Where the bytes lie and what may touch them is the simulator's business
/// (teamsan::allocate); Kokkos' allocation header goes in front of a View's data, out of bounds for lanes.
#pragma once

#include "../Fwd.hpp"

#include <Kokkos_Core_fwd.hpp>
#include <Kokkos_HostSpace.hpp>
#include <impl/Kokkos_SharedAlloc.hpp>

#include "../../../sim/host/Memory.hpp"

#include <cstddef>
#include <type_traits>

namespace teamsan {
namespace simt {

/// Allocates for a Kokkos memory space and tells Kokkos Tools. `logical_bytes` is what the user asked for, 0:
/// all of `bytes`; the difference is Kokkos' header. Throws std::runtime_error in Kokkos' words when it does
/// not fit.
void* allocate(Space space, char const* space_name, char const* label, std::size_t bytes,
               std::size_t logical_bytes);
void deallocate(char const* space_name, char const* label, void* pointer, std::size_t bytes,
                std::size_t logical_bytes);

/// What the three memory spaces share.
template <class Derived, Space space>
class MemorySpace {
 public:
  using memory_space = Derived;
  using size_type = unsigned int;  // as on CUDA: 32-bit index arithmetic in kernels
  using index_type = std::make_signed_t<size_type>;

  void* allocate(std::size_t bytes) const { return allocate("[unlabeled]", bytes); }
  void* allocate(char const* label, std::size_t bytes, std::size_t logical_bytes = 0) const {
    return simt::allocate(space, Derived::name(), label, bytes, logical_bytes);
  }
  template <class ExecutionSpace>
  std::enable_if_t<!std::is_convertible_v<ExecutionSpace, char const*>, void*> allocate(ExecutionSpace const&,
                                                                                        std::size_t bytes) const {
    return allocate("[unlabeled]", bytes);
  }
  template <class ExecutionSpace>
  void* allocate(ExecutionSpace const&, char const* label, std::size_t bytes,
                 std::size_t logical_bytes = 0) const {
    return allocate(label, bytes, logical_bytes);
  }
  void deallocate(void* pointer, std::size_t bytes) const { deallocate("[unlabeled]", pointer, bytes); }
  void deallocate(char const* label, void* pointer, std::size_t bytes, std::size_t logical_bytes = 0) const {
    simt::deallocate(Derived::name(), label, pointer, bytes, logical_bytes);
  }
};

}  // namespace simt

class SimtSpace : public simt::MemorySpace<SimtSpace, Space::device> {
 public:
  using execution_space = Simt;
  using device_type = Kokkos::Device<execution_space, SimtSpace>;
  static constexpr char const* name() { return "Simt"; }
};

class SimtSharedSpace : public simt::MemorySpace<SimtSharedSpace, Space::shared> {
 public:
  using execution_space = Simt;
  using device_type = Kokkos::Device<execution_space, SimtSharedSpace>;
  static constexpr char const* name() { return "SimtShared"; }
};

class SimtHostPinnedSpace : public simt::MemorySpace<SimtHostPinnedSpace, Space::host_pinned> {
 public:
  using execution_space = Kokkos::HostSpace::execution_space;
  using device_type = Kokkos::Device<execution_space, SimtHostPinnedSpace>;
  static constexpr char const* name() { return "SimtHostPinned"; }
};

namespace simt {

template <class T>
inline constexpr bool is_simt_space_v = std::is_same_v<T, SimtSpace> || std::is_same_v<T, SimtSharedSpace> ||
                                        std::is_same_v<T, SimtHostPinnedSpace>;

}  // namespace simt
}  // namespace teamsan

namespace Kokkos::Impl {

#define TEAMSAN_SPACE_ACCESS(FROM, TO, ASSIGNABLE, ACCESSIBLE) \
  template <>                                                  \
  struct MemorySpaceAccess<FROM, TO> {                         \
    enum : bool { assignable = ASSIGNABLE };                   \
    enum : bool { accessible = ACCESSIBLE };                   \
    enum : bool { deepcopy = true }; /* before 4.7 */           \
  };

TEAMSAN_SPACE_ACCESS(HostSpace, teamsan::SimtSpace, false, false)
TEAMSAN_SPACE_ACCESS(HostSpace, teamsan::SimtSharedSpace, false, true)
TEAMSAN_SPACE_ACCESS(HostSpace, teamsan::SimtHostPinnedSpace, true, true)
TEAMSAN_SPACE_ACCESS(teamsan::SimtSpace, HostSpace, false, false)
TEAMSAN_SPACE_ACCESS(teamsan::SimtSpace, teamsan::SimtSharedSpace, true, true)
TEAMSAN_SPACE_ACCESS(teamsan::SimtSpace, teamsan::SimtHostPinnedSpace, false, true)
TEAMSAN_SPACE_ACCESS(teamsan::SimtSharedSpace, HostSpace, false, false)
TEAMSAN_SPACE_ACCESS(teamsan::SimtSharedSpace, teamsan::SimtSpace, false, true)
TEAMSAN_SPACE_ACCESS(teamsan::SimtSharedSpace, teamsan::SimtHostPinnedSpace, false, true)
TEAMSAN_SPACE_ACCESS(teamsan::SimtHostPinnedSpace, HostSpace, false, true)
TEAMSAN_SPACE_ACCESS(teamsan::SimtHostPinnedSpace, teamsan::SimtSpace, false, false)
TEAMSAN_SPACE_ACCESS(teamsan::SimtHostPinnedSpace, teamsan::SimtSharedSpace, false, true)

#undef TEAMSAN_SPACE_ACCESS

}  // namespace Kokkos::Impl

KOKKOS_IMPL_HOST_INACCESSIBLE_SHARED_ALLOCATION_SPECIALIZATION(teamsan::SimtSpace);
KOKKOS_IMPL_SHARED_ALLOCATION_SPECIALIZATION(teamsan::SimtSharedSpace);
KOKKOS_IMPL_SHARED_ALLOCATION_SPECIALIZATION(teamsan::SimtHostPinnedSpace);
