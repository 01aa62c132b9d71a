// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the lanes of a warp hold: ITEMS values each, in registers. Shape: LANES x ITEMS, LANES being the
/// vector length that the policy was made with (a logical warp: the vector lanes of one Kokkos thread).
///
///   teamsan::warp_items<float, 4, Member> items;               // LANES = 32
///   items.assign(member, [&](int lane, int k) { return a(first + lane * 4 + k); });
///   teamsan::for_each_lane<32>(member, [&](int lane) { items(lane, 0) += 1; });
///
/// On a GPU each lane has its own ITEMS and `lane` must be its own; where vector lanes are a loop the object
/// holds all LANES x ITEMS. So a lane reaches its own items alone, on every backend: write each step as a
/// body of for_each_lane.
///
/// Errors: a policy whose vector length is not LANES (Kokkos lowers what a device does not have) ends the
/// kernel with a message on the simulated GPU; on CUDA and HIP in debug builds of Kokkos.
#pragma once

#include "inline_lambda.hpp"
#include "warp_barrier.hpp"

#include <Kokkos_Core.hpp>

#include <cstdio>

namespace teamsan {

namespace Impl {
/// On the simulated GPU, whose lanes are host code.
[[noreturn]] inline void refuse_vector_length(int lanes, int length) {
  char words[128];
  std::snprintf(words, sizeof words, "teamsan: a warp operation of %d lanes in a kernel whose policy has vector length %d",
                lanes, length);
  Kokkos::abort(words);
}
}  // namespace Impl

/// Runs body(lane) once for each vector lane of the calling thread: on a GPU each lane runs its own. No
/// synchronisation.
template <int LANES, class Member, class Body>
KOKKOS_FORCEINLINE_FUNCTION void for_each_lane([[maybe_unused]] Member const& member, Body const& body) {
  static_assert(Impl::warps_are_known<Member>,
                "warp operations are for CUDA, HIP, the host's backends and the simulated GPU: they know no other warps, "
                "SYCL's say");
  if constexpr (requires { member.impl_vector_lane(); }) {
    if (member.impl_vector_length() != LANES) Impl::refuse_vector_length(LANES, member.impl_vector_length());
    body(member.impl_vector_lane());
  } else if constexpr (Impl::lanes_are_a_loop<Member>) {
    for (int lane = 0; lane < LANES; ++lane) body(lane);
  } else {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
    KOKKOS_ASSERT(static_cast<int>(blockDim.x) == LANES);
    body(static_cast<int>(threadIdx.x));
#endif
  }
}

template <class T, int ITEMS, class Member, int LANES = 32>
class warp_items {
  static_assert(ITEMS >= 1, "warp_items: a lane has one item at least");
  static_assert(LANES >= 1 && (LANES & (LANES - 1)) == 0,
                "warp_items: LANES is the policy's vector length, a power of two such as 32 (64 on AMD's GPUs)");

 public:
  using value_type = T;
  static constexpr int items = ITEMS, lanes = LANES;
  static constexpr int tile = ITEMS * LANES;  ///< elements of a warp

  /// Item `k` of `lane`.
  KOKKOS_FORCEINLINE_FUNCTION T& operator()(int lane, int k) { return m_items[row(lane)][k]; }
  KOKKOS_FORCEINLINE_FUNCTION T const& operator()(int lane, int k) const { return m_items[row(lane)][k]; }
  /// All items of `lane`.
  KOKKOS_FORCEINLINE_FUNCTION T* of(int lane) { return m_items[row(lane)]; }
  KOKKOS_FORCEINLINE_FUNCTION T const* of(int lane) const { return m_items[row(lane)]; }

  /// Item k of every lane becomes value(lane, k).
  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void assign(Member const& member, Value const& value) {
    for_each_lane<LANES>(member, [&](int lane) TEAMSAN_INLINE_LAMBDA {
      for (int k = 0; k < ITEMS; ++k) (*this)(lane, k) = value(lane, k);
    });
  }

 private:
  static constexpr bool all_lanes = Impl::lanes_are_a_loop<Member>;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int row(int lane) { return all_lanes ? lane : 0; }

  T m_items[all_lanes ? LANES : 1][ITEMS];
};

}  // namespace teamsan
