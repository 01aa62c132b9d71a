// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What `Kokkos::Cuda().cuda_device_prop()` and `Kokkos::HIP().hip_device_prop()` tell, by CUDA's and HIP's names of it, as far
/// as the modelled device says.
#pragma once

#include <cstddef>

namespace teamsan::simt {

struct DeviceProperties {
  char name[256];
  std::size_t totalGlobalMem;
  std::size_t sharedMemPerBlock;
  int warpSize;
  int maxThreadsPerBlock;
  int multiProcessorCount;
  int maxThreadsPerMultiProcessor;
};

/// Of the device that the program is checked for.
DeviceProperties const& device_properties();

}  // namespace teamsan::simt
