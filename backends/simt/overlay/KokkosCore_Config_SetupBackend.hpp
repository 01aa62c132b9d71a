// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' generated header of this name, read by Kokkos_Macros.hpp before it defines anything
/// itself.
///
/// KOKKOS_IF_ON_HOST and KOKKOS_IF_ON_DEVICE: kernels for the simulated GPU are compiled once, as host code,
/// so which branch runs is decided at run time, by whether the caller is a lane. So a kernel takes the branch
/// that it takes on a GPU: the user's device code, and in Kokkos' own headers no reference counting, no
/// host-only checks, and Kokkos::abort() that ends a lane. The price: where both branches return, the
/// compiler no longer sees that one of them does, and may warn of a missing return. In constant evaluation it
/// is the host's branch, as Kokkos has it.
///
/// What it cannot change: code under #ifdef KOKKOS_ENABLE_CUDA (HIP, SYCL) or __CUDA_ARCH__ is left out, as
/// in any build for the host.
#pragma once
#pragma GCC system_header

#include_next <KokkosCore_Config_SetupBackend.hpp>

#define TEAMSAN_OVERLAY

#ifndef __cpp_rtti
#error "TeamSan: Kokkos names kernels by typeid, which -fno-rtti takes away: compile without it."
#endif

// Consulted by Kokkos only as the name of the default space; the backend of that name stays off. FwdBackend
// makes it an alias of teamsan::Simt.
#define KOKKOS_ENABLE_DEFAULT_DEVICE_TYPE_OPENACC

// half_t and bhalf_t are types of their own (impl/Kokkos_Half_FloatingPointWrapper.hpp).
#define KOKKOS_IMPL_HALF_TYPE_DEFINED
#define KOKKOS_IMPL_BHALF_TYPE_DEFINED

namespace teamsan {
[[gnu::const]] bool in_kernel() noexcept;
}

namespace Kokkos::Impl {
[[noreturn]] void device_abort(char const* message);
}

#define KOKKOS_IF_ON_DEVICE(CODE)                                     \
  if (!__builtin_is_constant_evaluated() && ::teamsan::in_kernel()) { \
    KOKKOS_IMPL_STRIP_PARENS(CODE)                                    \
  }
#define KOKKOS_IF_ON_HOST(CODE)                                       \
  if (__builtin_is_constant_evaluated() || !::teamsan::in_kernel()) { \
    KOKKOS_IMPL_STRIP_PARENS(CODE)                                    \
  }
