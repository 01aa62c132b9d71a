// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One step of one lane, as a trace keeps it: what it was and where in the code (together its key), and one number. What
/// needs more than a number is several events, or refers to a definition of its team. Events.def lists the kinds.
#pragma once

#include "AtomicDeed.hpp"
#include "Site.hpp"

#include <cstddef>
#include <cstdint>

namespace teamsan::traces {

enum class EventKind : std::uint8_t {
#define TEAMSAN_EVENT(name) name,
#include "Events.def"
};

inline constexpr std::size_t event_kinds = 0
#define TEAMSAN_EVENT(name) +1
#include "Events.def"
    ;
static_assert(event_kinds <= 64, "a key has six bits for the kind");

/// Detail of a `scratch` event: the launch had not reserved that much.
constexpr std::uint64_t scratch_refused = 1;

/// Details of an `effect` that leaves one of Kokkos' locks; by_load: under it a value was only loaded.
constexpr std::uint64_t lock_left = 2, lock_left_by_load = 3;

constexpr std::uint64_t event_key(EventKind kind, Site site, std::uint64_t detail = 0) {
  return std::uint64_t{number_of(site)} << 16 | detail << 6 | static_cast<std::uint64_t>(kind);
}
/// Of a `deed`, which alone has bits above its site: what became of it. (Version 2 has the rest of an address there.)
constexpr std::uint64_t deed_key(AtomicDeed const& deed, AtomicOutcome const& outcome) {
  return event_key(EventKind::deed, deed.site, deed.detail()) | outcome.detail() << 48;
}
constexpr EventKind kind_of(std::uint64_t key) { return static_cast<EventKind>(key & 63); }
constexpr Site site_of(std::uint64_t key) { return static_cast<Site>(static_cast<std::uint32_t>(key >> 16)); }
constexpr std::uint32_t detail_of(std::uint64_t key) { return key >> 6 & 1023; }

constexpr std::uint32_t most_log_bytes = 4;  ///< of an access: 16 bytes

struct Event {
  std::uint64_t key;
  std::uint64_t operand;
  EventKind kind() const { return kind_of(key); }
  Site site() const { return site_of(key); }
  std::uint32_t detail() const { return detail_of(key); }
  /// Of an `atomic` or a `deed`.
  AtomicDeed deed() const { return AtomicDeed::of(operand, site(), detail()); }
  /// Of a `deed`.
  AtomicOutcome outcome() const { return AtomicOutcome::of(static_cast<std::uint32_t>(key >> 48)); }

  /// Is it of a kind that there is, with a detail that such a one may have?
  bool is_known() const {
    switch (kind()) {
      case EventKind::read:
      case EventKind::write: return detail() <= most_log_bytes;
      case EventKind::atomic: return deed().log_bytes <= most_log_bytes;
      case EventKind::deed:
        return deed().log_bytes <= most_log_bytes && AtomicOutcome::is_one(static_cast<std::uint32_t>(key >> 48));
      case EventKind::same_values: return detail() <= 64;
      default: return static_cast<std::size_t>(kind()) < event_kinds;
    }
  }
};

}  // namespace teamsan::traces
