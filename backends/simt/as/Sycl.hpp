// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What a program tests and names that picks its space by KOKKOS_ENABLE_SYCL.
#pragma once

#include "sycl/sycl/sycl.hpp"

#define KOKKOS_ENABLE_SYCL
#define KOKKOS_ENABLE_SYCL_RELOCATABLE_DEVICE_CODE

namespace Kokkos {
using SYCL = ::teamsan::Simt;
using SYCLDeviceUSMSpace = ::teamsan::SimtSpace;
using SYCLSharedUSMSpace = ::teamsan::SimtSharedSpace;
using SYCLHostUSMSpace = ::teamsan::SimtHostPinnedSpace;

namespace Experimental {  // its names until 4.5
using Kokkos::SYCL;
using Kokkos::SYCLDeviceUSMSpace;
using Kokkos::SYCLHostUSMSpace;
using Kokkos::SYCLSharedUSMSpace;
}  // namespace Experimental

namespace Impl {
using SYCLTeamMember = SimtTeamMember;
}  // namespace Impl
}  // namespace Kokkos
