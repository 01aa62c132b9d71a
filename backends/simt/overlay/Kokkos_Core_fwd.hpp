// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' header of this name: SharedSpace and SharedHostPinnedSpace are the simulated GPU's.
/// Kokkos makes them HostSpace in a build without device backend, unless it believes in OpenACC, for which it
/// leaves them out. So it is made to believe that for this one header, whose own includes are read before.
#pragma once
#pragma GCC system_header

#include <Kokkos_Macros.hpp>
#include <Kokkos_Printf.hpp>
#include <impl/Kokkos_Error.hpp>
#include <impl/Kokkos_Utilities.hpp>

#include "../Fwd.hpp"

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL) || \
    defined(KOKKOS_ENABLE_OPENACC) || defined(KOKKOS_ENABLE_NEXTSILICON)
#error \
    "A program is checked with a Kokkos that has host backends only; this one has a device backend."
#endif

#define KOKKOS_HAS_SHARED_SPACE
#define KOKKOS_HAS_SHARED_HOST_PINNED_SPACE
#define KOKKOS_ENABLE_OPENACC
#include_next <Kokkos_Core_fwd.hpp>
#undef KOKKOS_ENABLE_OPENACC

namespace Kokkos {
using SharedSpace = ::teamsan::SimtSharedSpace;
using SharedHostPinnedSpace = ::teamsan::SimtHostPinnedSpace;
}  // namespace Kokkos
