/// Kokkos Kernels picks its GPU code paths by kk_is_gpu_exec_space<>(), a list of the spaces it knows: the
/// simulated GPU is one. Declared before that library's header is read (KokkosKernels_ExecSpaceUtils.hpp), so
/// that it is not needed here. It cannot reach that library's other lists, which name CUDA and HIP by macro.
#pragma once

#include <teamsan/simt/Fwd.hpp>

#include <Kokkos_Macros.hpp>

namespace KokkosKernels::Impl {

template <typename ExecutionSpace>
constexpr KOKKOS_INLINE_FUNCTION bool kk_is_gpu_exec_space();

template <>
constexpr KOKKOS_INLINE_FUNCTION bool kk_is_gpu_exec_space<teamsan::Simt>() {
  return true;
}

}  // namespace KokkosKernels::Impl
