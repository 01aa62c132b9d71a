// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Who watches an access besides the checks: wrappers around what it is (TeamCells of Access.hpp, FlatWords of
/// FlatWords.hpp), each of which does its own and hands on. They compose: Recorded<Counted<TeamCells>>. All are called last,
/// so that nothing here needs a frame; what a wrapper has no place ready for goes its long way, called last in turn.
#pragma once

#include "Access.hpp"
#include "FlatWords.hpp"
#include "LockedCells.hpp"
#include "RangeCells.hpp"
#include "../trace/TeamTrace.hpp"

#include <bit>

namespace teamsan {

template <AccessKind kind>
inline constexpr model::Operation operation_of = kind == AccessKind::read ? model::Operation::load : model::Operation::store;

/// Accesses are counted as a launch's weight (machine/LaunchWeight.hpp). Not those of the program's functions that a report is
/// made with: which team makes it hangs on chance.
template <class Next>
struct Weighed {
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access(std::uintptr_t address, Site site) {
    hot.accesses += hot.in_runtime == 0;
    Next::template access<bytes, kind>(address, site);
  }
};

/// The machine model counts (machine/WarpLog.hpp).
template <class Next>
struct Counted;

template <>
struct Counted<TeamCells> {
  template <unsigned bytes, AccessKind kind>
  [[gnu::noinline]] static void slowly(std::uintptr_t address, Site site) {
    log_access(address, std::countr_zero(bytes), operation_of<kind>, site);
    LockedCells<RangeCells<TeamCells>>::access<bytes, kind>(address, site);
  }
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access(std::uintptr_t address, Site site) {
    if (std::uintptr_t const offset = address - hot.scratch_begin; offset < hot.scratch_bytes) [[likely]] {
      if (!log_plain(site, operation_of<kind>, true, address)) return slowly<bytes, kind>(address, site);
      if (hot.locks != 0) [[unlikely]] return slow_access<bytes, kind>(address, site);
      return TeamCells::access_in_scratch<bytes, kind>(address, offset, site);
    }
    if (address - arena::global >= hot.global_bytes) return slow_access<bytes, kind>(address, site);
    if (!log_plain(site, operation_of<kind>, false, address)) return slowly<bytes, kind>(address, site);
    LockedCells<RangeCells<TeamCells>>::access<bytes, kind>(address, site);
  }
};

template <>
struct Counted<FlatWords> {
  template <unsigned bytes, AccessKind kind>
  [[gnu::noinline]] static void slowly(std::uintptr_t address, Site site) {
    log_access(address, std::countr_zero(bytes), operation_of<kind>, site);
    FlatWords::access<bytes, kind>(address, site);
  }
  /// Apart from what needs more registers than a callback may change.
  template <unsigned bytes, AccessKind kind>
  [[gnu::noinline]] static void logged(std::uintptr_t address, Site site) {
    FlatWords::access<bytes, kind>(address, site);
  }
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access(std::uintptr_t address, Site site) {
    if (address - arena::device < arena::device_bytes && log_plain(site, operation_of<kind>, false, address)) [[likely]]
      return logged<bytes, kind>(address, site);
    if constexpr (kind == AccessKind::read)
      if (address - arena::constant < arena::constant_bytes) return;
    if (address - hot.ignore_begin < hot.ignore_bytes) return;
    slowly<bytes, kind>(address, site);
  }
};

/// A trace is written. An access that the team's script expects costs a compare and a store.
template <class Next>
struct Recorded {
  template <unsigned bytes, AccessKind kind>
  static constexpr std::uint64_t key(Site site) {
    constexpr auto event = kind == AccessKind::read ? traces::EventKind::read : traces::EventKind::write;
    return traces::event_key(event, site, std::countr_zero(bytes));
  }
  template <unsigned bytes, AccessKind kind>
  [[gnu::noinline]] static void slowly(std::uintptr_t address, Site site) {
    trace::note_access(key<bytes, kind>(site), address);
    Next::template access<bytes, kind>(address, site);
  }
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access(std::uintptr_t address, Site site) {
    if (!traces::follow(hot.trace_next, key<bytes, kind>(site), address)) return slowly<bytes, kind>(address, site);
    Next::template access<bytes, kind>(address, site);
  }
};

/// Another shard may check the team's scratch.
template <class Next>
struct Sharded {
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access(std::uintptr_t address, Site site) {
    if (address - hot.scratch_begin < hot.others_bytes) return pass_over(address);
    Next::template access<bytes, kind>(address, site);
  }
};

/// By the long way, whatever it is.
struct AnyWords {
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access(std::uintptr_t address, Site site) {
    slow_access<bytes, kind>(address, site);
  }
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access_in_device(std::uintptr_t address, Site site) {
    slow_access<bytes, kind>(address, site);
  }
};

/// Nothing is checked. Nobody waits by a store.
struct Unchecked {
  template <unsigned bytes, AccessKind kind>
  [[gnu::always_inline]] static void access(std::uintptr_t address, Site) {
    if constexpr (kind == AccessKind::read) pass_over(address);
  }
};

/// An access of whoever runs on this thread.
template <unsigned bytes, AccessKind kind>
[[gnu::always_inline]] inline void on_access(void const* p, Site site) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (hot.watch != Watch::checked) [[unlikely]] {
    AccessHandlers const& handlers = *hot.handlers;
    return (kind == AccessKind::read ? handlers.read : handlers.write)[std::countr_zero(bytes)](address, site);
  }
  TeamCells::access<bytes, kind>(address, site);
}
template <unsigned bytes>
[[gnu::always_inline]] inline void on_read(void const* p, Site site) {
  on_access<bytes, AccessKind::read>(p, site);
}
template <unsigned bytes>
[[gnu::always_inline]] inline void on_write(void const* p, Site site) {
  on_access<bytes, AccessKind::write>(p, site);
}

}  // namespace teamsan
