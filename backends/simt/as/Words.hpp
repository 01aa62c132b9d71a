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
// With a condition of each thread, told how many, whether all, whether any of them has it.
template <class Lane = void>
int __syncthreads_count(int) {
  static_assert(teamsan::simt::vendor::is_here<Lane>,
                "TeamSan: __syncthreads_count() waits for a block: use member.team_reduce() with Kokkos::Sum");
  return 0;
}
template <class Lane = void>
int __syncthreads_and(int) {
  static_assert(teamsan::simt::vendor::is_here<Lane>,
                "TeamSan: __syncthreads_and() waits for a block: use member.team_reduce() with Kokkos::LAnd");
  return 0;
}
template <class Lane = void>
int __syncthreads_or(int) {
  static_assert(teamsan::simt::vendor::is_here<Lane>,
                "TeamSan: __syncthreads_or() waits for a block: use member.team_reduce() with Kokkos::LOr");
  return 0;
}
template <class Lane = void>
void __syncwarp(unsigned = ~0u) {
  static_assert(teamsan::simt::vendor::is_here<Lane>,
                "TeamSan: __syncwarp() waits for a warp: end a ThreadVectorRange or single there");
}
