// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Words of CUDA's and HIP's languages. A checked program is compiled once, for host and lanes: functions need no mark, and a
/// variable of the device's is an ordinary one that lanes may touch.
#pragma once

#include "Vendor.hpp"

#define __host__
#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __constant__ TEAMSAN_IN_CONSTANT_MEMORY
#define __global__                                                                                                          \
  _Pragma("GCC error \"TeamSan: a __global__ kernel is launched past Kokkos, and cannot be checked: make it a parallel_for\"")
#define __shared__                                                                                                             \
  _Pragma("GCC error \"TeamSan: __shared__ memory is a __global__ kernel's: use member.team_scratch(0) in a Kokkos kernel\"")

namespace teamsan::simt::vendor {
template <class>
inline constexpr bool is_here = false;
}

template <class Lane = void>
void __syncthreads() {
  static_assert(teamsan::simt::vendor::is_here<Lane>,
                "TeamSan: __syncthreads() waits for a block: use member.team_barrier()");
}
template <class Lane = void>
void __syncwarp(unsigned = ~0u) {
  static_assert(teamsan::simt::vendor::is_here<Lane>,
                "TeamSan: __syncwarp() waits for a warp: end a ThreadVectorRange or single there");
}
