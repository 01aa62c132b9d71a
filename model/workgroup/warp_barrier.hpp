// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// warp_barrier(member): the vector lanes of the calling Kokkos thread wait for each other, and each sees
/// what the others stored before. Kokkos itself promises no such construct on every backend
/// (docs/synchronisation.md). All vector lanes of the thread reach it; other threads of the team need not.
/// Outside ThreadVectorRange, single and the like.
///
/// It is __syncwarp of the thread's lanes on CUDA, a wave barrier between fences on HIP (the lanes of a
/// wavefront run in lockstep), nothing where vector lanes are a loop (OpenMP, Serial, Threads), a meeting of
/// the thread's lanes on the simulated GPU, under every --sync. On other backends it does not compile.
#pragma once

#include "cxx20.hpp"

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace teamsan {

namespace Impl {

/// A backend on the host whose vector lanes are the rounds of a loop: what a thread holds is held for all of
/// its lanes.
template <class Member>
constexpr bool lanes_are_a_loop =
    std::is_same_v<typename Member::execution_space::memory_space, Kokkos::HostSpace>;

/// Of a backend whose warps are known here; on another, nothing below would be done.
template <class Member>
constexpr bool warps_are_known = lanes_are_a_loop<Member> || requires(Member const& member) { member.impl_vector_lane(); }
#if defined(KOKKOS_ENABLE_CUDA)
                                 || std::is_same_v<typename Member::execution_space, Kokkos::Cuda>
#endif
#if defined(KOKKOS_ENABLE_HIP)
                                 || std::is_same_v<typename Member::execution_space, Kokkos::HIP>
#endif
    ;

}  // namespace Impl

/// LANES: the policy's vector length where it is known when compiling; then no division is left to the GPU.
template <int LANES = 0, class Member>
KOKKOS_FORCEINLINE_FUNCTION void warp_barrier([[maybe_unused]] Member const& member) {
  static_assert(Impl::warps_are_known<Member>,
                "warp operations are for CUDA, HIP, the host's backends and the simulated GPU: they know no other warps, "
                "SYCL's say");
  if constexpr (requires { member.impl_warp_barrier(); }) {
    member.impl_warp_barrier();
  } else if constexpr (!Impl::lanes_are_a_loop<Member>) {
#if defined(__CUDA_ARCH__)
    unsigned const lanes = LANES > 0 ? LANES : blockDim.x;
    __syncwarp(lanes == 32 ? 0xffffffffu : ((1u << lanes) - 1) << (threadIdx.y % (32 / lanes)) * lanes);
#elif defined(__HIP_DEVICE_COMPILE__)
    __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
    __builtin_amdgcn_wave_barrier();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
#endif
  }
}

}  // namespace teamsan
