// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// CUDA's header of this name, for programs that are checked as CUDA: what Kokkos programs ask of it, as docs/integrating.md
/// lists it, on the simulated GPU.
#pragma once
#pragma GCC system_header

#include "../Vendor.hpp"
#include "../Words.hpp"

#define TEAMSAN_VENDOR(name) cuda##name
#include "../Runtime.hpp"
#undef TEAMSAN_VENDOR

using cudaDeviceProp = teamsan::simt::DeviceProperties;

enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrMaxThreadsPerMultiProcessor = 39
};
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  if (device != 0) return cudaErrorInvalidDevice;
  auto const& of_device = teamsan::simt::device_properties();
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: *value = of_device.maxThreadsPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: *value = static_cast<int>(of_device.sharedMemPerBlock); break;
    case cudaDevAttrWarpSize: *value = of_device.warpSize; break;
    case cudaDevAttrMultiProcessorCount: *value = of_device.multiProcessorCount; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: *value = of_device.maxThreadsPerMultiProcessor; break;
    default: return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}
enum : unsigned { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
