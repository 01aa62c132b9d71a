// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Team scratch as Kokkos hands it out: one region a level, a running offset, the overflow rule, here counted
/// in device bytes. Where the bytes really lie is the simulator's business (teamsan::obtain_scratch), which
/// knows every piece by its offset and leaves poisoned gaps between them; so this file never does arithmetic
/// on addresses of simulated scratch. A handle built from a user's own pointers (no simulated scratch)
/// behaves as Kokkos' own class.
#pragma once

#include "../Macros.hpp"
#include "ViewAccess.hpp"
#include "../spaces/ExecutionSpace.hpp"
#include "../versions/TypeName.hpp"

#include "../../../sim/machine/Lane.hpp"
#include "../../../sim/memory/Shape.hpp"

#include <Kokkos_Abort.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Kokkos {

template <>
class ScratchMemorySpace<teamsan::Simt> {
 public:
  /// Kokkos' least alignment of a scratch View.
  static constexpr int ALIGN = 8;

  using memory_space = ScratchMemorySpace;
  using execution_space = teamsan::Simt;
  using device_type = Kokkos::Device<execution_space, memory_space>;
  using array_layout = execution_space::array_layout;
  using size_type = execution_space::size_type;
  using index_type = execution_space::index_type;

  static constexpr char const* name() { return "ScratchMemorySpace"; }

  TEAMSAN_NO_INSTRUMENT ScratchMemorySpace() {}

  /// Over memory of the caller's, as Kokkos' own class.
  template <typename IntType>
  TEAMSAN_NO_INSTRUMENT ScratchMemorySpace(void* level0, IntType const& bytes0, void* level1 = nullptr,
                                           IntType const& bytes1 = 0)
      : m_base{static_cast<char*>(level0), static_cast<char*>(level1)},
        m_end{static_cast<std::size_t>(bytes0), static_cast<std::size_t>(bytes1)},
        m_multiplier(1) {}

  /// The running team's scratch: `bytes` of each level as the launch reserved them.
  struct Simulated {
    static constexpr std::size_t all = ~std::size_t{0};
    std::size_t bytes[2];
    std::size_t launch_sized = all;  ///< what model/workgroup/launch_sized_scratch.hpp was to have of level 0
  };
  TEAMSAN_NO_INSTRUMENT explicit ScratchMemorySpace(Simulated const& reserved)
      : m_end{reserved.bytes[0], reserved.bytes[1]},
        m_launch_sized(reserved.launch_sized),
        m_multiplier(1),
        m_simulated(true) {}

  /// The next `size` bytes, not aligned; nullptr (and nothing taken) when they do not fit.
  template <typename IntType>
  TEAMSAN_ENTRY void* get_shmem(IntType const& size, int level = -1) const {
    return obtain(static_cast<std::size_t>(size), 1, level, __builtin_return_address(0));
  }

  /// The next `size` bytes from where the absolute device address is a multiple of `alignment`.
  template <typename IntType>
  TEAMSAN_ENTRY void* get_shmem_aligned(IntType const& size, std::ptrdiff_t alignment, int level = -1) const {
    return obtain(static_cast<std::size_t>(size), static_cast<std::size_t>(alignment), level,
                  __builtin_return_address(0));
  }

  // For model/workgroup, which asks for them by name and does without where they are missing.

  /// Pieces handed out one after the other lie apart: what goes past one does not reach the next.
  static constexpr bool impl_pieces_are_apart = true;

  /// The memory sized at launch: from the first aligned address of level 0 to as many bytes as the launch was given, or
  /// all that was reserved. The same piece on every call; nothing is taken from what get_shmem hands out. A kernel that
  /// does both is ended: on a GPU the two would overlap, or the start would move.
  TEAMSAN_ENTRY void* impl_launch_sized(std::size_t alignment) const {
    if (m_next[0] != 0)
      Kokkos::abort(
          "teamsan::launch_sized_scratch: the kernel has already taken scratch of level 0 from team_scratch or "
          "thread_scratch");
    m_is_launch_sized = true;
    std::size_t const excess = misalignment(0, 0, alignment);
    std::size_t const begin = excess == 0 ? 0 : alignment - excess;
    std::size_t const rest = m_end[0] > begin ? m_end[0] - begin : 0;
    return teamsan::obtain_scratch({0, false, 0, begin, std::min(m_launch_sized, rest), alignment},
                                   __builtin_return_address(0));
  }

  /// Names a piece after what it holds: an array type or one element.
  template <class T>
  TEAMSAN_NO_INSTRUMENT static void impl_name(void const* piece, char const* what) {
    using Element = std::remove_all_extents_t<T>;
    teamsan::Shape shape;
    if constexpr (std::rank_v<T> <= teamsan::Shape::max_rank) {
      shape.type = teamsan::simt::type_name<Element>();
      shape.element_bytes = sizeof(Element);
      shape.rank = std::rank_v<T>;
      if (shape.rank > 1) shape.layout = "LayoutRight";
      impl_extents<T>(shape, std::make_index_sequence<std::rank_v<T>>());
      std::uint64_t stride = 1;
      for (std::uint32_t i = shape.rank; i-- != 0; stride *= shape.extents[i]) shape.strides[i] = stride;
    }
    teamsan::name_scratch(piece, what, shape);
  }

  template <class T, std::size_t... I>
  TEAMSAN_NO_INSTRUMENT static void impl_extents(teamsan::Shape& shape, std::index_sequence<I...>) {
    ((shape.extents[I] = std::extent_v<T, I>), ...);
  }

  /// Team pieces: multiplier 1, offset 0. Thread pieces: multiplier is the team size, offset the thread's
  /// rank.
  TEAMSAN_NO_INSTRUMENT ScratchMemorySpace const& set_team_thread_mode(int const& level,
                                                                       int const& multiplier,
                                                                       int const& offset) const {
    m_default_level = level;
    m_multiplier = multiplier;
    m_offset = offset;
    return *this;
  }

 private:
  TEAMSAN_NO_INSTRUMENT std::size_t misalignment(int level, std::size_t offset, std::size_t alignment) const {
    std::size_t const start = m_simulated ? teamsan::scratch_misalignment(level, false, 0)
                                          : reinterpret_cast<std::uintptr_t>(m_base[level]);
    return (start + offset) % alignment;
  }

  TEAMSAN_NO_INSTRUMENT void* obtain(std::size_t size, std::size_t alignment, int level,
                                     void const* site) const {
    level = (level == -1 ? m_default_level : level) == 0 ? 0 : 1;
    if (level == 0 && m_is_launch_sized)
      Kokkos::abort("scratch of level 0 is taken in a kernel that holds all of it as teamsan::launch_sized_scratch");
    std::size_t begin = m_next[level];
    if (alignment > 1) {
      if (std::size_t const excess = misalignment(level, begin, alignment)) begin += alignment - excess;
    }
    std::size_t const taken = size * static_cast<std::size_t>(m_multiplier);
    // Kokkos' class lets a request through whose alignment alone passes the end; nothing would lie behind it
    // here.
    auto const rank = static_cast<std::uint32_t>(m_offset);
    if (begin > m_end[level] || taken > m_end[level] - begin) {
      if (m_simulated) teamsan::refuse_scratch({level, m_multiplier > 1, rank, begin, size, alignment}, site);
      return nullptr;
    }
    m_next[level] = begin + taken;
    if (m_simulated)
      return teamsan::obtain_scratch({level, m_multiplier > 1, rank, begin, size, alignment}, site);
    return m_base[level] ? m_base[level] + begin + rank * size : nullptr;
  }

  mutable std::size_t m_next[2] = {0, 0};
  char* m_base[2] = {nullptr, nullptr};
  std::size_t m_end[2] = {0, 0};
  std::size_t m_launch_sized = 0;
  mutable bool m_is_launch_sized = false;
  mutable int m_multiplier = 0;
  mutable int m_offset = 0;
  mutable int m_default_level = 0;
  bool m_simulated = false;
};

}  // namespace Kokkos

namespace Kokkos::Impl {

/// Scratch is for lanes; the host gets Kokkos' usual message.
template <class AccessSpace>
struct RuntimeCheckBasicViewMemoryAccessViolation<ScratchMemorySpace<teamsan::Simt>, AccessSpace, false> {
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckBasicViewMemoryAccessViolation(SharedAllocationTracker const&) {
    if (!teamsan::in_kernel()) [[unlikely]]
      teamsan::simt::inaccessible(nullptr);
  }
};

template <class AccessSpace>
struct RuntimeCheckViewMemoryAccessViolation<ScratchMemorySpace<teamsan::Simt>, AccessSpace, false> {
  template <class Track, class Map>
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckViewMemoryAccessViolation(char const*, Track const&, Map const&) {
    if (!teamsan::in_kernel()) [[unlikely]]
      teamsan::simt::inaccessible(nullptr);
  }
};

template <class AccessSpace>
struct RuntimeCheckMemoryAccessViolation<ScratchMemorySpace<teamsan::Simt>, AccessSpace, false> {
  KOKKOS_FORCEINLINE_FUNCTION RuntimeCheckMemoryAccessViolation(char const* const message) {
    if (!teamsan::in_kernel()) [[unlikely]]
      Kokkos::abort(message);
  }
};

}  // namespace Kokkos::Impl
