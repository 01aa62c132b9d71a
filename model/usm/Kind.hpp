// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The kinds of allocations of unified shared memory (SYCL 2020, 4.8.2), and what one may ask of a device
/// about them.
#pragma once

#include <cstdint>

namespace teamsan::usm {

/// Who may touch an allocation, and where it lies. SYCL's usm::alloc, and the host's own memory by name.
enum class Kind : std::uint8_t {
  unknown,  ///< no allocation of this namespace, or one of another context
  device,   ///< the device's memory: kernels alone; the host copies. Kokkos: the execution space's
            ///< memory_space
  host,     ///< pinned memory of the host: both touch it, it never moves. Kokkos: SharedHostPinnedSpace
  shared,   ///< moves to whoever touches it. Kokkos: SharedSpace
  system    ///< what malloc returns: the host, and kernels on devices that have the aspect. Kokkos: HostSpace
};

constexpr char const* name(Kind kind) {
  switch (kind) {
    case Kind::unknown:
      return "unknown";
    case Kind::device:
      return "device";
    case Kind::host:
      return "host";
    case Kind::shared:
      return "shared";
    case Kind::system:
      return "system";
  }
  return "";
}

/// SYCL's aspects usm_*_allocations; concurrent_access is CUDA's and HIP's concurrentManagedAccess.
enum class Aspect : std::uint8_t {
  device_allocations,         ///< malloc_device works
  host_allocations,           ///< malloc_host works
  shared_allocations,         ///< malloc_shared works
  system_allocations,         ///< kernels may touch what malloc returned
  atomic_host_allocations,    ///< atomics of host and kernels on host allocations, at the same time
  atomic_shared_allocations,  ///< the same on shared allocations
  concurrent_access           ///< the host may touch a shared allocation while a kernel works on it
};

/// A set of aspects.
class Aspects {
 public:
  constexpr Aspects() = default;
  constexpr bool has(Aspect aspect) const { return m_bits >> static_cast<unsigned>(aspect) & 1u; }
  constexpr Aspects& set(Aspect aspect, bool there = true) {
    unsigned const bit = 1u << static_cast<unsigned>(aspect);
    m_bits = there ? m_bits | bit : m_bits & ~bit;
    return *this;
  }
  static constexpr Aspects all() {
    Aspects every;
    for (unsigned i = 0; i <= static_cast<unsigned>(Aspect::concurrent_access); ++i)
      every.set(static_cast<Aspect>(i));
    return every;
  }
  friend constexpr bool operator==(Aspects const&, Aspects const&) = default;

 private:
  unsigned m_bits = 0;
};

/// The aspects of a device description: anything with a member `usm` like that of teamsan::model::Device.
template <class Description>
constexpr Aspects aspects_of(Description const& device) {
  return Aspects()
      .set(Aspect::device_allocations, device.usm.device_allocations)
      .set(Aspect::host_allocations, device.usm.host_allocations)
      .set(Aspect::shared_allocations, device.usm.shared_allocations)
      .set(Aspect::system_allocations, device.usm.system_allocations)
      .set(Aspect::atomic_host_allocations, device.usm.atomic_host_allocations)
      .set(Aspect::atomic_shared_allocations, device.usm.atomic_shared_allocations)
      .set(Aspect::concurrent_access, device.usm.concurrent_access);
}

/// Hints about who will touch a shared allocation, as cudaMemAdvise has them. SYCL leaves the values to the
/// device.
enum class Advice : std::uint8_t {
  read_mostly,         ///< both sides read, few write: copies are worth it
  prefer_device,       ///< lies best with the device
  prefer_host,         ///< lies best with the host
  accessed_by_device,  ///< map it for the device, do not move it
  none                 ///< takes all of the above back
};

}  // namespace teamsan::usm
