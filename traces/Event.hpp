// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One step of one lane, as a trace keeps it: what it was and where in the code (together its key), and one number. What
/// needs more than a number is several events, or refers to a definition of its team. Events.def lists the kinds.
#pragma once

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
constexpr EventKind kind_of(std::uint64_t key) { return static_cast<EventKind>(key & 63); }
constexpr Site site_of(std::uint64_t key) { return static_cast<Site>(static_cast<std::uint32_t>(key >> 16)); }
constexpr std::uint32_t detail_of(std::uint64_t key) { return key >> 6 & 1023; }

/// The detail of an atomic: what it does, and to how many bytes.
struct AtomicDetail {
  std::uint8_t operation;  ///< model::Operation
  std::uint8_t log_bytes;
  bool updates;            ///< what it leaves depends on what was there
  std::uint8_t atomic;     ///< model::AtomicKind
  bool by_volatile = false;  ///< an access through a pointer to volatile

  constexpr std::uint64_t packed() const {
    return operation | log_bytes << 2 | updates << 5 | atomic << 6 | by_volatile << 8;
  }
  static constexpr AtomicDetail of(std::uint32_t detail) {
    return {static_cast<std::uint8_t>(detail & 3), static_cast<std::uint8_t>(detail >> 2 & 7), (detail >> 5 & 1) != 0,
            static_cast<std::uint8_t>(detail >> 6 & 3), (detail >> 8 & 1) != 0};
  }
};

constexpr std::uint32_t most_log_bytes = 4;  ///< of an access: 16 bytes

struct Event {
  std::uint64_t key;
  std::uint64_t operand;
  EventKind kind() const { return kind_of(key); }
  Site site() const { return site_of(key); }
  std::uint32_t detail() const { return detail_of(key); }

  /// Is it of a kind that there is, with a detail that such a one may have?
  bool is_known() const {
    switch (kind()) {
      case EventKind::read:
      case EventKind::write: return detail() <= most_log_bytes;
      case EventKind::atomic: return AtomicDetail::of(detail()).log_bytes <= most_log_bytes;
      case EventKind::same_values: return detail() <= 64;
      default: return static_cast<std::size_t>(kind()) < event_kinds;
    }
  }
};

}  // namespace teamsan::traces
