// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Kokkos Kernels picks its GPU code paths by is_gpu_exec_space_v, true for the spaces it knows: the simulated GPU is one.
/// Declared before that library's header is read (KokkosKernels_ExecSpaceUtils.hpp, 4.5 and later), so that it is not needed
/// here: a declaration of the variable, which theirs completes. It cannot reach that library's lists that name CUDA and HIP by
/// macro, such as kk_get_exec_space_type(): for those a program is checked under a name they know (as/), and then this list
/// of theirs knows the simulated GPU too. On a GPU it sizes pools by the memory that is free; here by what a workstation has to
/// give, so that a run does not hang on the machine.
#pragma once

#if !defined(TEAMSAN_AS_CUDA) && !defined(TEAMSAN_AS_HIP) && !defined(TEAMSAN_AS_SYCL)

#include "../Fwd.hpp"

#include <cstddef>

namespace KokkosKernels::Impl {

template <typename ExecutionSpace>
extern bool const is_gpu_exec_space_v;

template <>
inline constexpr bool is_gpu_exec_space_v<teamsan::Simt> = true;

template <typename MemorySpace>
void kk_get_free_total_memory(std::size_t& free, std::size_t& total);
template <typename MemorySpace>
void kk_get_free_total_memory(std::size_t& free, std::size_t& total, int streams);

template <>
inline void kk_get_free_total_memory<teamsan::SimtSpace>(std::size_t& free, std::size_t& total, int streams) {
  total = std::size_t{4} << 30;
  free = total / static_cast<std::size_t>(streams);
}
template <>
inline void kk_get_free_total_memory<teamsan::SimtSpace>(std::size_t& free, std::size_t& total) {
  kk_get_free_total_memory<teamsan::SimtSpace>(free, total, 1);
}

}  // namespace KokkosKernels::Impl

#endif
