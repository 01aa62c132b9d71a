// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Overlay over Kokkos' header of this name. A program that picks its space by macros (#ifdef KOKKOS_ENABLE_CUDA) is checked
/// under one of these names: TEAMSAN_AS_CUDA, TEAMSAN_AS_HIP or TEAMSAN_AS_SYCL makes it a name of the simulated GPU.
#pragma once
#pragma GCC system_header

#include_next <Kokkos_Core.hpp>

#if defined(TEAMSAN_AS_CUDA) + defined(TEAMSAN_AS_HIP) + defined(TEAMSAN_AS_SYCL) > 1
#error "TeamSan: a program is checked under one name, and two of TEAMSAN_AS_CUDA, TEAMSAN_AS_HIP and TEAMSAN_AS_SYCL are given."
#elif defined(TEAMSAN_AS_CUDA)
#include "../as/Cuda.hpp"
#elif defined(TEAMSAN_AS_HIP)
#include "../as/Hip.hpp"
#elif defined(TEAMSAN_AS_SYCL)
#include "../as/Sycl.hpp"
#endif
