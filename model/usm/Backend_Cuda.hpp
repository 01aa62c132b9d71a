// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Unified shared memory with CUDA: Kokkos' spaces allocate, the CUDA runtime copies, prefetches and tells
/// what the device can do. Compiled only where Kokkos has CUDA.
#pragma once

#include "Backend.hpp"

namespace teamsan::usm {

template <>
struct Backend<Kokkos::Cuda> : KokkosBackend<Kokkos::Cuda> {
  static Aspects aspects() {
    int const device = Kokkos::Cuda().cuda_device();
    auto const attribute = [&](cudaDeviceAttr which) {
      int value = 0;
      KOKKOS_IMPL_CUDA_SAFE_CALL(cudaDeviceGetAttribute(&value, which, device));
      return value != 0;
    };
    bool const concurrent = attribute(cudaDevAttrConcurrentManagedAccess);
    bool const native_atomics = attribute(cudaDevAttrHostNativeAtomicSupported);
    return Aspects()
        .set(Aspect::device_allocations)
        .set(Aspect::host_allocations, attribute(cudaDevAttrCanMapHostMemory))
        .set(Aspect::shared_allocations, attribute(cudaDevAttrManagedMemory))
        .set(Aspect::system_allocations, attribute(cudaDevAttrPageableMemoryAccess))
        .set(Aspect::atomic_host_allocations, native_atomics)
        .set(Aspect::atomic_shared_allocations, native_atomics && concurrent)
        .set(Aspect::concurrent_access, concurrent);
  }

  static void copy(Kokkos::Cuda const& instance, void* to, void const* from, std::size_t bytes) {
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, instance.cuda_stream()));
  }
  static void fill(Kokkos::Cuda const& instance, void* to, unsigned char value, std::size_t bytes) {
    if (is_plain_host_memory(to)) return KokkosBackend::fill(instance, to, value, bytes);
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMemsetAsync(to, value, bytes, instance.cuda_stream()));
  }

  // Hints: what the device refuses (no concurrent access, no managed memory) is not an error.
  static void prefetch(Kokkos::Cuda const& instance, void const* pointer, std::size_t bytes, bool to_device) {
#if CUDART_VERSION >= 13000
    cudaMemLocation const where = location(instance, to_device);
    forgive(cudaMemPrefetchAsync(pointer, bytes, where, 0, instance.cuda_stream()));
#else
    int const where = to_device ? instance.cuda_device() : cudaCpuDeviceId;
    forgive(cudaMemPrefetchAsync(pointer, bytes, where, instance.cuda_stream()));
#endif
  }

  static void advise(Kokkos::Cuda const& instance, void const* pointer, std::size_t bytes, Advice advice) {
    auto const give = [&](cudaMemoryAdvise what, bool device) {
#if CUDART_VERSION >= 13000
      forgive(cudaMemAdvise(pointer, bytes, what, location(instance, device)));
#else
      forgive(cudaMemAdvise(pointer, bytes, what, device ? instance.cuda_device() : cudaCpuDeviceId));
#endif
    };
    switch (advice) {
      case Advice::read_mostly:
        return give(cudaMemAdviseSetReadMostly, true);
      case Advice::prefer_device:
        return give(cudaMemAdviseSetPreferredLocation, true);
      case Advice::prefer_host:
        return give(cudaMemAdviseSetPreferredLocation, false);
      case Advice::accessed_by_device:
        return give(cudaMemAdviseSetAccessedBy, true);
      case Advice::none:
        give(cudaMemAdviseUnsetReadMostly, true);
        give(cudaMemAdviseUnsetPreferredLocation, true);
        return give(cudaMemAdviseUnsetAccessedBy, true);
    }
  }

 private:
  /// Memory that the runtime does not know.
  static bool is_plain_host_memory(void const* pointer) {
    cudaPointerAttributes attributes{};
    cudaError_t const error = cudaPointerGetAttributes(&attributes, pointer);
    forgive(error);
    return error != cudaSuccess || attributes.type == cudaMemoryTypeUnregistered;
  }
#if CUDART_VERSION >= 13000
  static cudaMemLocation location(Kokkos::Cuda const& instance, bool device) {
    cudaMemLocation where{};
    where.type = device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
    where.id = device ? instance.cuda_device() : 0;
    return where;
  }
#endif
  static void forgive(cudaError_t error) {
    if (error != cudaSuccess) (void)cudaGetLastError();
  }
};

}  // namespace teamsan::usm
