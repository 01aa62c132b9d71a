// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The scratch through which warp_algorithm::transpose turns a blocked arrangement (lane l holds l * ITEMS +
/// k) into a striped one (k * LANES + l) and back. One for each thread of the team:
///
///   using Exchange = teamsan::warp_exchange<float, 4, Member>;
///   policy.set_scratch_size(0, Kokkos::PerThread(Exchange::scratch_bytes));
///   ... Exchange exchange(member);   // in the kernel, once; every warp_store and warp_load may use it again
///
/// Shape: LANES x ITEMS elements and, where ITEMS is even, gaps of a bank's width. A wavefront passes 128
/// bytes, W elements. Lanes whose elements lie a multiple of lcm(ITEMS, W) apart would meet in one bank; a
/// gap after each such distance parts them, and no striped row is torn by it. So neither arrangement has bank
/// conflicts on GPUs of 32 banks of 4 bytes. Errors: a launch that reserved less than scratch_bytes a thread
/// ends the kernel with a message on the simulated GPU, and in debug builds of Kokkos; elsewhere the memory
/// must not be touched.
#pragma once

#include "cxx20.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <numeric>

namespace teamsan {

template <class T, int ITEMS, class Member, int LANES = 32>
class warp_exchange {
 public:
  static constexpr int wavefront =
      sizeof(T) >= 128 ? 1 : 128 / static_cast<int>(sizeof(T));  ///< elements of one
  /// Elements from gap to gap, and how long a gap is.
  static constexpr int period = std::lcm(ITEMS, wavefront),
                       gap = sizeof(T) >= 4 ? 1 : 4 / static_cast<int>(sizeof(T));
  static constexpr bool has_gaps = ITEMS % 2 == 0;
  static constexpr int elements = LANES * ITEMS + (has_gaps ? (LANES * ITEMS - 1) / period * gap : 0);
  /// Of one thread, for set_scratch_size(0, PerThread(...)). A multiple of Kokkos' alignment of scratch is
  /// taken, so that what a kernel takes next needs no padding that nobody reserved.
  static constexpr std::size_t scratch_bytes =
      (elements * sizeof(T) + 7) / 8 * 8 + (alignof(T) > 8 ? alignof(T) - 8 : 0);

  /// Takes the thread's scratch of level 0.
  KOKKOS_FORCEINLINE_FUNCTION explicit warp_exchange(Member const& member) : m_memory(take(member)) {
    if constexpr (requires { member.impl_vector_lane(); }) {
      if (m_memory == nullptr)
        Kokkos::abort(
            "teamsan::warp_exchange: the launch reserved less than scratch_bytes a thread of level 0");
    } else {
      KOKKOS_ASSERT(m_memory != nullptr);
    }
  }
  /// Over memory of the caller's, `elements` long, that no other warp uses meanwhile.
  KOKKOS_FORCEINLINE_FUNCTION explicit warp_exchange(T* memory) : m_memory(memory) {}

  /// Where element i of the warp's tile lies, 0 <= i.
  KOKKOS_FORCEINLINE_FUNCTION T& operator[](int i) const {
    return m_memory[i + (has_gaps ? static_cast<int>(static_cast<unsigned>(i) / unsigned{period}) * gap : 0)];
  }

  /// Where element lane * ITEMS + k lies: as operator[], in fewer instructions. A lane's items have no gap
  /// between them, so that k is added to an address that is the lane's alone.
  KOKKOS_FORCEINLINE_FUNCTION T& blocked(int lane, int k) const {
    constexpr unsigned lanes_of_period = period / ITEMS;
    int const gaps = has_gaps ? static_cast<int>(static_cast<unsigned>(lane) / lanes_of_period) * gap : 0;
    return m_memory[lane * ITEMS + gaps + k];
  }

  /// Where element k * LANES + lane lies: as operator[], in fewer instructions where the gaps before it are
  /// those before its row, or a number for each row and one for the lane.
  KOKKOS_FORCEINLINE_FUNCTION T& striped(int lane, int k) const {
    if constexpr (has_gaps && period % LANES == 0)
      return m_memory[lane + k * LANES + k / (period / LANES) * gap];
    else if constexpr (has_gaps && LANES % period == 0)
      return m_memory[lane + static_cast<int>(static_cast<unsigned>(lane) / unsigned{period}) * gap +
                      k * (LANES + LANES / period * gap)];
    else
      return (*this)[k * LANES + lane];
  }

 private:
  static constexpr int bytes = (elements * static_cast<int>(sizeof(T)) + 7) / 8 * 8;

  /// What get_shmem_aligned gives for `bytes` a thread. On a GPU the address is made from where the handle
  /// stands, without the comparison with the end of scratch, whose 64-bit arithmetic small tiles pay for
  /// (docs/hardware.md). The handle is moved on as always.
  KOKKOS_FORCEINLINE_FUNCTION static T* take(Member const& member) {
    constexpr auto alignment = static_cast<std::ptrdiff_t>(alignof(T));
    auto const& scratch = member.thread_scratch(0);
#if (defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)) && !defined(KOKKOS_ENABLE_DEBUG)
    char* const here = static_cast<char*>(scratch.get_shmem(0));
    std::size_t const to_aligned = (0 - reinterpret_cast<std::uintptr_t>(here)) % alignof(T);
    (void)scratch.get_shmem_aligned(int{bytes}, alignment);
    return reinterpret_cast<T*>(here + to_aligned + member.team_rank() * bytes);
#else
    return static_cast<T*>(scratch.get_shmem_aligned(int{bytes}, alignment));
#endif
  }

  T* m_memory;
};

}  // namespace teamsan
