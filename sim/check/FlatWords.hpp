// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// An access of a flat launch's lane. Most are where their instruction is aimed, and that is device memory: FlatAccess.hpp
/// joins them. All else goes where a team's accesses go.
#pragma once

#include "Access.hpp"
#include "FlatAccess.hpp"
#include "LockedCells.hpp"

#include <cstdint>

namespace teamsan {

struct FlatWords {
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access(std::uintptr_t address, Site site) {
    if (FlatTable::Instruction const& at = hot.flat_table->at(site); at.covers<bytes>(address, site)) [[likely]]
      return hot.flat_shared ? shared<bytes, kind>(address, site) : join<bytes, kind, false>(at, address, site);
    elsewhere<bytes, kind>(address, site);
  }

 private:
  template <unsigned bytes, AccessKind kind, bool shared>
  [[gnu::always_inline]] static void join(FlatTable::Instruction const& at, std::uintptr_t address, Site site) {
    if constexpr (bytes < 4) {
      bool again = false;
      if (!flat::bytes_at<bytes, kind, shared>(at, address, again)) [[unlikely]] return slowly<bytes, kind>(address, site);
      if (again && --hot.slice < 0) [[unlikely]] spinning(site, false);
    } else if constexpr (kind == AccessKind::read) {
      bool again = false;
      if (!flat::read_at<bytes, shared>(at, address, again)) [[unlikely]] return slowly<bytes, kind>(address, site);
      if (again && --hot.slice < 0) [[unlikely]] spinning(site, false);
    } else {
      if (!flat::write_at<bytes, shared>(at, address)) [[unlikely]] slowly<bytes, kind>(address, site);
    }
  }

  /// Among several workers, by an instruction that is aimed there.
  template <unsigned bytes, AccessKind kind>
  [[gnu::noinline]] static void shared(std::uintptr_t address, Site site) {
    if (FlatHolds::of(address) != hot.flat_mark) [[unlikely]] return unheld<bytes, kind>(address, site);
    join<bytes, kind, false>(hot.flat_table->at(site), address, site);
  }
  template <unsigned bytes, AccessKind kind>
  [[gnu::noinline]] static void unheld(std::uintptr_t address, Site site) {
    FlatTable::Instruction const& at = hot.flat_table->at(site);
    flat::holds(address) ? join<bytes, kind, false>(at, address, site) : join<bytes, kind, true>(at, address, site);
  }

  /// By an instruction that is not aimed there: the kernel object, the lane's stack, other device memory.
  template <unsigned bytes, AccessKind kind>
  [[gnu::noinline]] static void elsewhere(std::uintptr_t address, Site site) {
    constexpr bool reads = kind == AccessKind::read;
    if (address - arena::device >= arena::device_bytes) {
      if constexpr (reads) {
        if (address - arena::constant < arena::constant_bytes || address - hot.ignore_begin < hot.ignore_bytes) return;
      } else {
        if (is_ignored(address, bytes, kind, site)) return;
      }
      return slowly<bytes, kind>(address, site);
    }
    hot.flat_table->recall(site);
    if constexpr (reads)
      if (begins_update(site)) [[unlikely]] return load_for_update<bytes>(address, site);
    if (is_part_of_atomic(site)) [[unlikely]] return slow_access<bytes, kind>(address, site);
    if (auto* const at = flat::known_at<bytes>(address, site); at != nullptr) [[likely]]
      return hot.flat_shared ? shared<bytes, kind>(address, site) : join<bytes, kind, false>(*at, address, site);
    slowly<bytes, kind>(address, site);
  }

  static bool begins_update(Site site) {
    if (hot.flat_loads && hot.flat_shadow->loads_for_update(site)) return true;
    return hot.flat_table->at(site).site != site && flat::begins_update(*hot.flat_shadow, site);
  }

  /// A plain load or store under one of Kokkos' locks: another lane's beside it is none.
  static bool is_part_of_atomic(Site site) {
    FlatTable::Instruction const& at = hot.flat_table->at(site);
    return (at.site == site ? at.part : flat::part_of_atomic(site)) != AtomicPart::none;
  }

  /// A load by which an update begins (FlatShadow::note_load_of_update).
  template <unsigned bytes>
  [[gnu::noinline]] static void load_for_update(std::uintptr_t address, Site site) {
    if constexpr (bytes >= 4)
      if (flat::load_for_update_quickly<bytes>(address, site)) return;
    note_users_call(site);
    checked_access({address, bytes, AccessKind::atomic_write, site, true}, false);
  }

  /// What is not decided in line.
  template <unsigned bytes, AccessKind kind>
  [[gnu::noinline]] static void slowly(std::uintptr_t address, Site site) {
    if (address - arena::device >= arena::device_bytes) return LockedCells<TeamCells>::access<bytes, kind>(address, site);
    if constexpr (bytes >= 4 && kind == AccessKind::read)
      if (address % bytes == 0 && flat::join_alike<bytes>(address, kind, site)) return;
    slow_access<bytes, kind>(address, site);
    // The slow way has learnt what lies there: the instruction's next access comes there, too, mostly. Not left to that one: by
    // then another may have been elsewhere in the same stretch, where small allocations lie side by side.
    if (hot.is_flat()) (void)flat::known_at<bytes>(address, site);
  }
};

}  // namespace teamsan
