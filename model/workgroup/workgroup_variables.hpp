// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The variables of a workgroup in a kernel: a layout put into the team's scratch of level 0.
///
///   auto const variables = teamsan::workgroup_variables<Layout>(member, teamsan::zero_initialized);
///   auto& tile = variables.get<"tile">();      // float (&)[256]
///   variables.get<"count">().add(1);           // or by position: get<2>()
///   teamsan::workgroup_barrier(member);
///
/// Every lane of the team makes its own object; all mean the same memory. What it holds at first is chosen:
/// - zero_initialized: every element is zero. The lanes of the team share the work and meet in a barrier, so
///   that each may read at once. Costs one store for each element of the layout, and one barrier.
/// - uninitialized: whatever an earlier team left. A read before a write is found on the simulated GPU
/// (uninit-scratch).
///
/// Errors: a launch that reserved less than Layout::scratch_bytes ends the kernel with a message (on GPUs in
/// debug builds of Kokkos; elsewhere the memory must not be touched). On the simulated GPU members lie apart:
/// an index past the end of one is out-of-bounds, not a value of the next.
#pragma once

#include "inline_lambda.hpp"
#include "workgroup_layout.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace teamsan {

struct zero_initialized_t {};
struct uninitialized_t {};
inline constexpr zero_initialized_t zero_initialized{};
inline constexpr uninitialized_t uninitialized{};

namespace Impl {

/// Whether pieces of scratch that are taken one after the other lie apart (the simulated GPU) or side by
/// side.
template <class Scratch>
concept HasPiecesApart = requires {
  requires Scratch::impl_pieces_are_apart;
};

/// One block; a member is its offset away.
template <class Layout, class Scratch>
class WorkgroupMemory {
 public:
  KOKKOS_FORCEINLINE_FUNCTION explicit WorkgroupMemory(Scratch const& scratch) {
    constexpr std::size_t bytes = Layout::bytes;  // taken by reference, as which CUDA knows no static member
    m_begin = static_cast<std::byte*>(
        scratch.get_shmem_aligned(bytes, static_cast<std::ptrdiff_t>(Layout::alignment)));
  }
  template <std::size_t I>
  KOKKOS_FORCEINLINE_FUNCTION void* at() const {
    constexpr std::size_t offset = Layout::template offset_at<I>;
    return m_begin + offset;
  }
  KOKKOS_FORCEINLINE_FUNCTION bool complete() const { return m_begin != nullptr; }

 private:
  std::byte* m_begin;
};

/// A piece for each member, under its name, with the members' distances kept.
template <class Layout, class Scratch>
requires(HasPiecesApart<Scratch>) class WorkgroupMemory<Layout, Scratch> {
 public:
  KOKKOS_FORCEINLINE_FUNCTION explicit WorkgroupMemory(Scratch const& scratch) {
    [&]<std::size_t... I>(std::index_sequence<I...>) TEAMSAN_INLINE_LAMBDA { (take<I>(scratch), ...); }
    (std::make_index_sequence<Layout::count>());
  }
  template <std::size_t I>
  KOKKOS_FORCEINLINE_FUNCTION void* at() const {
    return m_begin[I];
  }
  /// A small member may have found room where a large one before it did not.
  KOKKOS_FORCEINLINE_FUNCTION bool complete() const {
    for (void* const begin : m_begin)
      if (begin == nullptr) return false;
    return true;
  }

 private:
  template <std::size_t I>
  KOKKOS_FORCEINLINE_FUNCTION void take(Scratch const& scratch) {
    constexpr std::size_t padding = round_up(Layout::sizes[I], Layout::unit) - Layout::sizes[I];
    m_begin[I] = scratch.get_shmem_aligned(Layout::sizes[I],
                                           static_cast<std::ptrdiff_t>(I == 0 ? Layout::alignment : 1));
    if (padding != 0) scratch.get_shmem(padding);
    if constexpr (!Layout::names[I].empty())
      if (m_begin[I] != nullptr)
        Scratch::template impl_name<typename Layout::template type_at<I>>(m_begin[I],
                                                                          Layout::names[I].data());
  }

  void* m_begin[Layout::count];
};

}  // namespace Impl

template <class Layout, class Member>
class WorkgroupVariables {
  static_assert(Layout::count != 0, "a layout has one member at least");

 public:
  KOKKOS_FORCEINLINE_FUNCTION WorkgroupVariables(Member const& member, uninitialized_t)
      : m_memory(member.team_scratch(0)) {
    if constexpr (Impl::HasPiecesApart<Scratch>) {
      if (!m_memory.complete())
        Kokkos::abort(
            "teamsan::workgroup_variables: the launch reserved less than Layout::scratch_bytes of level 0");
    } else {
      KOKKOS_ASSERT(m_memory.complete());
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION WorkgroupVariables(Member const& member, zero_initialized_t)
      : WorkgroupVariables(member, uninitialized) {
    [&]<std::size_t... I>(std::index_sequence<I...>) TEAMSAN_INLINE_LAMBDA { (zero(member, get<I>()), ...); }
    (std::make_index_sequence<Layout::count>());
    member.team_barrier();
  }

  /// The member of that name, or at that position: a reference to the array or to the value, in shared
  /// memory.
  template <fixed_string Name>
  KOKKOS_FORCEINLINE_FUNCTION auto& get() const {
    return get<Layout::template index<Name>>();
  }
  template <std::size_t I>
  KOKKOS_FORCEINLINE_FUNCTION auto& get() const {
    return *static_cast<typename Layout::template type_at<I>*>(m_memory.template at<I>());
  }

 private:
  using Scratch = typename Member::scratch_memory_space;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION static void zero(Member const& member, T& variable) {
    using Element = std::remove_all_extents_t<T>;
    auto* const elements = reinterpret_cast<Element*>(&variable);
    Kokkos::parallel_for(Kokkos::TeamVectorRange(member, static_cast<int>(sizeof(T) / sizeof(Element))),
                         [=](int i) { ::new (static_cast<void*>(elements + i)) Element{}; });
  }

  Impl::WorkgroupMemory<Layout, Scratch> m_memory;
};

/// The variables of `Layout` for this member's team; see above. `initial`: zero_initialized or uninitialized.
template <class Layout, class Member, class Initial>
KOKKOS_FORCEINLINE_FUNCTION WorkgroupVariables<Layout, Member> workgroup_variables(Member const& member,
                                                                                   Initial initial) {
  return {member, initial};
}

}  // namespace teamsan
