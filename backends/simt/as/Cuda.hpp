// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a program tests and names that picks its space by KOKKOS_ENABLE_CUDA.
#pragma once

#include "cuda/cuda_runtime.h"

#define KOKKOS_ENABLE_CUDA
#define KOKKOS_ENABLE_CUDA_LAMBDA
#define KOKKOS_ENABLE_CUDA_CONSTEXPR
#define KOKKOS_ENABLE_CUDA_RELOCATABLE_DEVICE_CODE

namespace Kokkos {
using Cuda = ::teamsan::Simt;
using CudaSpace = ::teamsan::SimtSpace;
using CudaUVMSpace = ::teamsan::SimtSharedSpace;
using CudaHostPinnedSpace = ::teamsan::SimtHostPinnedSpace;

namespace Impl {
using CudaTeamMember = SimtTeamMember;
}  // namespace Impl
}  // namespace Kokkos
