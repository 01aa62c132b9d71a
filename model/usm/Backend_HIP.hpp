// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unified shared memory with HIP: Kokkos' spaces allocate, the HIP runtime copies, prefetches and tells what
/// the device can do. Compiled only where Kokkos has HIP.
#pragma once

#include "Backend.hpp"

namespace teamsan::usm {

template <>
struct Backend<Kokkos::HIP> : KokkosBackend<Kokkos::HIP> {
  static Aspects aspects() {
    int const device = Kokkos::HIP().hip_device();
    auto const attribute = [&](hipDeviceAttribute_t which) {
      int value = 0;
      KOKKOS_IMPL_HIP_SAFE_CALL(hipDeviceGetAttribute(&value, which, device));
      return value != 0;
    };
    bool const concurrent = attribute(hipDeviceAttributeConcurrentManagedAccess);
    bool const native_atomics = attribute(hipDeviceAttributeHostNativeAtomicSupported);
    return Aspects()
        .set(Aspect::device_allocations)
        .set(Aspect::host_allocations, attribute(hipDeviceAttributeCanMapHostMemory))
        .set(Aspect::shared_allocations, attribute(hipDeviceAttributeManagedMemory))
        .set(Aspect::system_allocations, attribute(hipDeviceAttributePageableMemoryAccess))
        .set(Aspect::atomic_host_allocations, native_atomics)
        .set(Aspect::atomic_shared_allocations, native_atomics && concurrent)
        .set(Aspect::concurrent_access, concurrent);
  }

  static void copy(Kokkos::HIP const& instance, void* to, void const* from, std::size_t bytes) {
    KOKKOS_IMPL_HIP_SAFE_CALL(hipMemcpyAsync(to, from, bytes, hipMemcpyDefault, instance.hip_stream()));
  }
  static void fill(Kokkos::HIP const& instance, void* to, unsigned char value, std::size_t bytes) {
    if (is_plain_host_memory(to)) return KokkosBackend::fill(instance, to, value, bytes);
    KOKKOS_IMPL_HIP_SAFE_CALL(hipMemsetAsync(to, value, bytes, instance.hip_stream()));
  }

  // Hints: what the device refuses (no concurrent access, no managed memory) is not an error.
  static void prefetch(Kokkos::HIP const& instance, void const* pointer, std::size_t bytes, bool to_device) {
    int const where = to_device ? instance.hip_device() : hipCpuDeviceId;
    forgive(hipMemPrefetchAsync(pointer, bytes, where, instance.hip_stream()));
  }

  static void advise(Kokkos::HIP const& instance, void const* pointer, std::size_t bytes, Advice advice) {
    auto const give = [&](hipMemoryAdvise what, bool device) {
      forgive(hipMemAdvise(pointer, bytes, what, device ? instance.hip_device() : hipCpuDeviceId));
    };
    switch (advice) {
      case Advice::read_mostly:
        return give(hipMemAdviseSetReadMostly, true);
      case Advice::prefer_device:
        return give(hipMemAdviseSetPreferredLocation, true);
      case Advice::prefer_host:
        return give(hipMemAdviseSetPreferredLocation, false);
      case Advice::accessed_by_device:
        return give(hipMemAdviseSetAccessedBy, true);
      case Advice::none:
        give(hipMemAdviseUnsetReadMostly, true);
        give(hipMemAdviseUnsetPreferredLocation, true);
        return give(hipMemAdviseUnsetAccessedBy, true);
    }
  }

 private:
  /// Memory that the runtime does not know: before ROCm 6 asking about it is an error.
  static bool is_plain_host_memory(void const* pointer) {
    hipPointerAttribute_t attributes{};
    hipError_t const error = hipPointerGetAttributes(&attributes, pointer);
    forgive(error);
#if HIP_VERSION_MAJOR >= 6
    return error != hipSuccess || attributes.type == hipMemoryTypeUnregistered;
#else
    return error != hipSuccess;
#endif
  }
  static void forgive(hipError_t error) {
    if (error != hipSuccess) (void)hipGetLastError();
  }
};

}  // namespace teamsan::usm
