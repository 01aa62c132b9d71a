// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// HIP's header of this name, for programs that are checked as HIP: what Kokkos programs ask of it, as docs/integrating.md
/// lists it, on the simulated GPU.
#pragma once
#pragma GCC system_header

#include "../../Vendor.hpp"
#include "../../Words.hpp"

#define TEAMSAN_VENDOR(name) hip##name
#include "../../Runtime.hpp"
#undef TEAMSAN_VENDOR

#define HIP_SYMBOL(symbol) symbol

using hipDeviceProp_t = teamsan::simt::DeviceProperties;

enum hipDeviceAttribute_t {
  hipDeviceAttributeMaxThreadsPerBlock,
  hipDeviceAttributeMaxSharedMemoryPerBlock,
  hipDeviceAttributeWarpSize,
  hipDeviceAttributeMultiprocessorCount,
  hipDeviceAttributeMaxThreadsPerMultiProcessor
};
inline hipError_t hipDeviceGetAttribute(int* value, hipDeviceAttribute_t attribute, int device) {
  if (device != 0) return hipErrorInvalidDevice;
  auto const& of_device = teamsan::simt::device_properties();
  switch (attribute) {
    case hipDeviceAttributeMaxThreadsPerBlock: *value = of_device.maxThreadsPerBlock; break;
    case hipDeviceAttributeMaxSharedMemoryPerBlock: *value = static_cast<int>(of_device.sharedMemPerBlock); break;
    case hipDeviceAttributeWarpSize: *value = of_device.warpSize; break;
    case hipDeviceAttributeMultiprocessorCount: *value = of_device.multiProcessorCount; break;
    case hipDeviceAttributeMaxThreadsPerMultiProcessor: *value = of_device.maxThreadsPerMultiProcessor; break;
    default: return hipErrorInvalidValue;
  }
  return hipSuccess;
}
enum : unsigned { hipStreamDefault = 0, hipStreamNonBlocking = 1 };
