// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a program tests and names that picks its space by KOKKOS_ENABLE_HIP.
#pragma once

#include "hip/hip/hip_runtime.h"

#define KOKKOS_ENABLE_HIP
#define KOKKOS_ENABLE_HIP_RELOCATABLE_DEVICE_CODE

namespace Kokkos {
using HIP = ::teamsan::Simt;
using HIPSpace = ::teamsan::SimtSpace;
using HIPManagedSpace = ::teamsan::SimtSharedSpace;
using HIPHostPinnedSpace = ::teamsan::SimtHostPinnedSpace;

namespace Experimental {  // its names until 4.0
using Kokkos::HIP;
using Kokkos::HIPHostPinnedSpace;
using Kokkos::HIPManagedSpace;
using Kokkos::HIPSpace;
}  // namespace Experimental

namespace Impl {
using HIPTeamMember = SimtTeamMember;
}  // namespace Impl
}  // namespace Kokkos
