// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Accesses of a range's lanes, judged team by team: around what a team's are. A host makes a maximum, and a sum of
/// floating-point numbers, of a load and compare-and-swap, and whether the swap is tried, and how often, hangs on who comes
/// first: so the load is the update, as in FlatWords.hpp, and the swaps that follow add nothing.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"
#include "../memory/Hot.hpp"

#include <cstdint>

namespace teamsan {

/// Does the instruction load what an update begins with? Many that do not are known, to all threads: that does not change.
class LoadsOfUpdates {
 public:
  [[gnu::always_inline]] static bool may_have(Site site) { return at(first_place(site)) != number_of(site); }
  static bool has(Site site) { return may_have(site) && has_slowly(site); }

 private:
  static constexpr unsigned bits = 12;
  static std::uint32_t first_place(Site site) { return number_of(site) * 0x9e3779b1u >> (32 - bits); }
  static std::uint32_t second_place(Site site) { return number_of(site) * 0x85ebca6bu >> (32 - bits); }
  static std::uint32_t at(std::uint32_t place) { return __atomic_load_n(s_others + place, __ATOMIC_RELAXED); }
  static bool has_slowly(Site site);
  static std::uint32_t s_others[1u << bits];  ///< their numbers
};

/// By such a load the running lane updates what is there.
void update_by_load(std::uintptr_t address, std::uint32_t bytes, Site site);
/// Where such a load is in a function of Kokkos' that is not in line: by which call of the user's.
void note_users_call(Site site);
/// So it has, and no order has changed for it since: a swap is a part of that.
bool is_updated_by_load(std::uintptr_t address);

template <class Next>
struct RangeCells {
  /// Apart, so that what follows needs no frame.
  template <unsigned bytes, AccessKind kind>
  [[gnu::noinline]] static void read_by_unknown(std::uintptr_t address, Site site) {
    if (LoadsOfUpdates::has(site)) return update_by_load(address, bytes, site);
    Next::template access<bytes, kind>(address, site);
  }
  template <unsigned bytes, AccessKind kind>
  [[gnu::noinline]] static void read_elsewhere(std::uintptr_t address, Site site) {
    Next::template access<bytes, kind>(address, site);
  }
  template <unsigned bytes, AccessKind kind>
  [[gnu::noinline]] static void read_in_range(std::uintptr_t address, Site site) {
    if (address - arena::global < arena::global_bytes) [[likely]] {
      if (LoadsOfUpdates::may_have(site)) [[unlikely]] return read_by_unknown<bytes, kind>(address, site);
      return Next::template access_in_device<bytes, kind>(address, site);
    }
    read_elsewhere<bytes, kind>(address, site);
  }
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access(std::uintptr_t address, Site site) {
    if constexpr (kind == AccessKind::read)
      if (hot.of_range) return read_in_range<bytes, kind>(address, site);
    Next::template access<bytes, kind>(address, site);
  }
};

}  // namespace teamsan
