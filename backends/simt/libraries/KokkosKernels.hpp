/// Kokkos Kernels picks its GPU code paths by is_gpu_exec_space_v, true for the spaces it knows: the simulated GPU is one.
/// Declared before that library's header is read (KokkosKernels_ExecSpaceUtils.hpp, 4.5 and later), so that it is not needed
/// here: a declaration of the variable, which theirs completes. It cannot reach that library's lists that name CUDA and HIP by
/// macro, such as kk_get_exec_space_type(): for those a program is checked under a name they know (as/), and then this list
/// of theirs knows the simulated GPU too.
#pragma once

#if !defined(TEAMSAN_AS_CUDA) && !defined(TEAMSAN_AS_HIP) && !defined(TEAMSAN_AS_SYCL)

#include <teamsan/simt/Fwd.hpp>

namespace KokkosKernels::Impl {

template <typename ExecutionSpace>
extern bool const is_gpu_exec_space_v;

template <>
inline constexpr bool is_gpu_exec_space_v<teamsan::Simt> = true;

}  // namespace KokkosKernels::Impl

#endif
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
