// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Workgroup memory whose size is given at the launch, not in the kernel: CUDA's and HIP's dynamic shared
/// memory, SYCL's local memory, Rust's gpu_launch_sized_workgroup_mem. On every backend it is level 0 of a
/// TeamPolicy's scratch.
///
///   Kokkos::TeamPolicy<> policy(league, team);
///   teamsan::set_launch_sized_scratch(policy, n * sizeof(float));   // another size at every launch
///   Kokkos::parallel_for("k", policy, KOKKOS_LAMBDA(Member const& member) {
///     float* tile = teamsan::launch_sized_scratch<float>(member);   // n of them
///   });
///
/// What a kernel may rely on:
/// - Every call by a lane of the team returns the same address, whatever T is; other teams get memory of
///   their own.
/// - The address is aligned for every T: to launch_sized_alignment, the 16 bytes of the widest vector access.
///   A T that wants more does not compile, unless TEAMSAN_LAUNCH_SIZED_ALIGNMENT is defined (alike in every
///   source of a program).
/// - It is valid from there up to the launch's size, which has nothing to do with T, until the team ends. It
///   is not initialised, and no call synchronises anything: lanes that share it need a barrier.
///
/// The memory is all that there is of level 0: a kernel that calls launch_sized_scratch takes no other
/// scratch of level 0 (team_scratch(0), thread_scratch(0)); on a GPU both would overlap. Level 1 is free for
/// it on GPUs, simulated ones too. Kokkos' host backends have one block for both levels: a kernel that is to
/// run there takes none of level 1 either.
///
/// Errors: without a size the address may not be accessed. A size over the device's limit is refused at the
/// launch, in Kokkos' words. On the simulated GPU an access past the launch's size or misaligned
/// (out-of-bounds), use by another team or kernel (stale-scratch), sharing without a barrier (scratch-race),
/// a read before any write (uninit-scratch) and other scratch of level 0 in the same kernel (crash) are
/// findings.
///
/// Source: Kokkos_ScratchSpace.hpp of Kokkos 5: a lane's handle hands out pieces by advancing a pointer of
/// its own. A copy of the handle advances its own pointer; so the start is what a fresh copy gives for
/// nothing.
#pragma once

#include "cxx20.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>

#ifndef TEAMSAN_LAUNCH_SIZED_ALIGNMENT
#define TEAMSAN_LAUNCH_SIZED_ALIGNMENT 16
#endif

namespace teamsan {

/// Of the address that launch_sized_scratch returns, in bytes.
inline constexpr std::size_t launch_sized_alignment = TEAMSAN_LAUNCH_SIZED_ALIGNMENT;
static_assert(launch_sized_alignment >= 8 && (launch_sized_alignment & (launch_sized_alignment - 1)) == 0,
              "TEAMSAN_LAUNCH_SIZED_ALIGNMENT is a power of two, 8 at least: Kokkos' alignment of scratch");

/// The bytes of level 0 to reserve for `bytes` of launch-sized memory: Kokkos aligns the start of scratch to
/// 8 bytes.
constexpr std::size_t launch_sized_reservation(std::size_t bytes) {
  return bytes + launch_sized_alignment - 8;
}

/// Gives the launches with this policy `bytes` of launch-sized memory a team, in place of what it had of team
/// scratch on level 0. Setting the size by policy.set_scratch_size(0, Kokkos::PerTeam(n)) is the same, with
/// two differences: up to launch_sized_alignment - 8 bytes of n may be lost to alignment, and the simulated
/// GPU does not know of less than n.
template <class Policy>
Policy& set_launch_sized_scratch(Policy& policy, std::size_t bytes) {
  policy.set_scratch_size(0, Kokkos::PerTeam(launch_sized_reservation(bytes)));
  if constexpr (requires { policy.impl_set_launch_sized(bytes); }) policy.impl_set_launch_sized(bytes);
  return policy;
}

/// The start of the memory sized at launch; see above. `member`: of a TeamPolicy's kernel. T: any object type
/// whose alignment is launch_sized_alignment at most.
template <class T, class Member>
KOKKOS_FORCEINLINE_FUNCTION T* launch_sized_scratch(Member const& member) {
  static_assert(alignof(T) <= launch_sized_alignment,
                "this type wants a stricter alignment than launch-sized memory has: define "
                "TEAMSAN_LAUNCH_SIZED_ALIGNMENT");
  if constexpr (requires { member.team_scratch(0).impl_launch_sized(launch_sized_alignment); }) {
    return static_cast<T*>(member.team_scratch(0).impl_launch_sized(launch_sized_alignment));
  } else {
    auto const handle = member.team_scratch(0);  // a copy: the lane's own handle stays where it is
    return static_cast<T*>(handle.get_shmem_aligned(0, static_cast<std::ptrdiff_t>(launch_sized_alignment)));
  }
}

}  // namespace teamsan
