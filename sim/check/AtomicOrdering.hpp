// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What an atomic operation of the running lane orders (machine/AtomicOrder.hpp), and whom it may hand something
/// (detect/Handovers.hpp).
#pragma once

#include "../detect/Handovers.hpp"
#include "../machine/RunningTeam.hpp"
#include "../machine/UserSite.hpp"
#include "../memory/Allocations.hpp"
#include "../places/KokkosNames.hpp"

#include <cstdint>

namespace teamsan {

/// No order at all: the operation takes or leaves one of Kokkos' locks.
constexpr int of_kokkos_lock = -1;

inline int meant_order(int order, Site site, void const volatile* p) {
  return order != __ATOMIC_RELAXED && takes_kokkos_lock(site, reinterpret_cast<std::uintptr_t>(p)) ? of_kokkos_lock : order;
}

inline bool on_lane() { return hot.lane != nullptr && hot.in_runtime == 0; }

/// Kokkos::MemoryPool gives a block back by a relaxed atomic, and fences behind it: its users' blocks are not to blame.
inline bool is_memory_pool(std::uintptr_t address) {
  if (!arena::contains(arena::global, arena::global_bytes, address)) return false;
  struct Known {
    std::uintptr_t begin = 0, bytes = 0;
    std::uint64_t freed = 0;
    bool answer = false;
  };
  thread_local Known known;
  if (address - known.begin < known.bytes && known.freed == freed_allocations()) return known.answer;
  std::uint64_t const freed = freed_allocations();
  Allocation const* const a = find_allocation(address);
  if (a == nullptr) return false;
  bool const answer = a->label == memory_pool_label;
  if (a->live) known = {a->data(), a->end() - a->data(), freed, answer};
  return answer;
}

/// It changes the value next: what it releases must be known before another team can see that.
inline void releases(void const volatile* p, int order, bool notes = true) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (address - hot.ignore_begin < hot.ignore_bytes || !on_lane()) return;
  RuntimeScope const scope;
  running_team().settle_volatile_load();
  bool const ordered = order == __ATOMIC_RELEASE || order == __ATOMIC_ACQ_REL || order == __ATOMIC_SEQ_CST;
  running_team().note_release(address, ordered || is_memory_pool(address));
  if (notes && order != of_kokkos_lock && detect::may_hand_over(address)) detect::about_to_hand_over(*hot.team);
}

/// Neither `releases` nor `acquired` would note anything.
inline bool orders_nothing(void const volatile* p, int order) {
  return order == __ATOMIC_RELAXED && hot.lane->volatile_load.address == 0 && running_team().orders_nothing() &&
         !is_memory_pool(reinterpret_cast<std::uintptr_t>(p));
}

/// It has seen the value: what was released by then may have been seen.
inline void acquired(void const volatile* p) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (address - hot.ignore_begin < hot.ignore_bytes || !on_lane() || !hot.team->launch().atomic_order->used()) return;
  RuntimeScope const scope;
  running_team().note_acquire(address);
}

/// The operation is done, and may have handed over or taken over what lanes did (detect/Handovers.hpp).
template <class T>
void handed_over(T const volatile* p, bool changed, bool sees, T value, Site site) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (!on_lane() || !detect::may_hand_over(address)) return;
  RuntimeScope const scope;
  detect::note_handover(*hot.team, address, site, {changed, sees}, static_cast<std::uint64_t>(value));
}

}  // namespace teamsan
