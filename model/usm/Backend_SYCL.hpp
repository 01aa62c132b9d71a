// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unified shared memory with SYCL: Kokkos' spaces allocate, the instance's queue copies, fills and prefetches, and its device
/// tells its aspects. Compiled only where Kokkos has SYCL.
#pragma once

#include "Backend.hpp"

namespace teamsan::usm {

template <>
struct Backend<Kokkos::SYCL> : KokkosBackend<Kokkos::SYCL> {
  /// SYCL has no aspect of its own for access by host and kernels at once: its specification allows it where atomics of both
  /// are (table "USM device aspects").
  static Aspects aspects() {
    sycl::device const device = Kokkos::SYCL().sycl_queue().get_device();
    bool const atomic_shared = device.has(sycl::aspect::usm_atomic_shared_allocations);
    return Aspects()
        .set(Aspect::device_allocations, device.has(sycl::aspect::usm_device_allocations))
        .set(Aspect::host_allocations, device.has(sycl::aspect::usm_host_allocations))
        .set(Aspect::shared_allocations, device.has(sycl::aspect::usm_shared_allocations))
        .set(Aspect::system_allocations, device.has(sycl::aspect::usm_system_allocations))
        .set(Aspect::atomic_host_allocations, device.has(sycl::aspect::usm_atomic_host_allocations))
        .set(Aspect::atomic_shared_allocations, atomic_shared)
        .set(Aspect::concurrent_access, atomic_shared);
  }

  // Kokkos' queues are in order.
  static void copy(Kokkos::SYCL const& instance, void* to, void const* from, std::size_t bytes) {
    instance.sycl_queue().memcpy(to, from, bytes);
  }
  static void fill(Kokkos::SYCL const& instance, void* to, unsigned char value, std::size_t bytes) {
    instance.sycl_queue().memset(to, value, bytes);
  }

  /// Hints. To the host, and advice, are each device's own in SYCL: none is given.
  static void prefetch(Kokkos::SYCL const& instance, void const* pointer, std::size_t bytes, bool to_device) {
    if (to_device) instance.sycl_queue().prefetch(const_cast<void*>(pointer), bytes);  // as SYCL 2020 declares it
  }
};

}  // namespace teamsan::usm
