/// One step of one lane, as a trace keeps it: what it was and where in the code (together its key), and one number. What
/// needs more than a number is several events, or refers to a definition of its team. FORMAT.md lists them.
#pragma once

#include <cstdint>

namespace teamsan::traces {

enum class EventKind : std::uint8_t {
  none,           ///< no event has key 0
  read,           ///< detail: log2 of the bytes; operand: address
  write,          ///< likewise
  extent,         ///< operand: bytes of the range that follows
  range_read,     ///< a struct or a copy; operand: address
  range_write,    ///< likewise
  note_read,      ///< by a construct, on the user's behalf; operand: address
  note_write,     ///< likewise
  atomic,         ///< detail: see AtomicDetail; operand: address
  before,         ///< operand: value before the atomic; only where a check asks for it
  after,          ///< operand: value after it
  effect,         ///< the atomic is done; detail: 1 if memory changed, 0 if not, or lock_left, lock_left_by_load
  meet,           ///< detail: Meeting; pc: the place
  scope_enter,    ///< detail: Scope; pc: the place
  scope_leave,    ///< operand: the scopes that are left, a bit each
  scratch,        ///< obtains scratch; operand: definition; pc: the place; detail: scratch_refused if it got none
  name,           ///< operand: definition of a scratch View's name and shape
  name_at,        ///< operand: address of what bears the name
  release,        ///< by an atomic or a construct; operand: address; detail: 1 if it has a release order, 0 if a fence before
  acquire,        ///< of what others released since the lane did last; operand: address
  result_begin,   ///< what is written from here on is a collective's result
  result_end,
  no_switch_begin,
  no_switch_end,
  yield,          ///< pc: the place
  fence,          ///< memory fence
  call,           ///< pc: the call site of a function that is entered
  leave,          ///< the innermost function is left
  threw,          ///< an exception left the kernel; operand: definition
  crash,          ///< a signal; operand: definition
  end,            ///< the lane is done
  // Answers: what the checks asked of the running program, and a replay cannot ask again.
  same_values,    ///< detail: how many stores (up to 64); operand: bit i: store i left memory as it was
  ordered,        ///< operand: lane << 1 | whether atomics order it with the running one
  host_place,     ///< detail: 1 if the latest access' address is thread-local
  unseen_store,   ///< what seemed uninitialised holds what nobody was seen to store; operand: where
};

/// Detail of a `scratch` event: the launch had not reserved that much.
constexpr std::uint64_t scratch_refused = 1;

/// Details of an `effect` that leaves one of Kokkos' locks; by_load: under it a value was only loaded.
constexpr std::uint64_t lock_left = 2, lock_left_by_load = 3;

constexpr std::uint64_t event_key(EventKind kind, std::uint64_t pc, std::uint64_t detail = 0) {
  return pc << 16 | detail << 6 | static_cast<std::uint64_t>(kind);
}
constexpr EventKind kind_of(std::uint64_t key) { return static_cast<EventKind>(key & 63); }
constexpr std::uint64_t pc_of(std::uint64_t key) { return key >> 16; }
constexpr std::uint32_t detail_of(std::uint64_t key) { return key >> 6 & 1023; }

/// The detail of an atomic: what it does, and to how many bytes.
struct AtomicDetail {
  std::uint8_t operation;  ///< model::Operation
  std::uint8_t log_bytes;
  bool updates;            ///< what it leaves depends on what was there
  std::uint8_t atomic;     ///< model::AtomicKind

  constexpr std::uint64_t packed() const {
    return operation | log_bytes << 2 | updates << 5 | atomic << 6;
  }
  static constexpr AtomicDetail of(std::uint32_t detail) {
    return {static_cast<std::uint8_t>(detail & 3), static_cast<std::uint8_t>(detail >> 2 & 7), (detail >> 5 & 1) != 0,
            static_cast<std::uint8_t>(detail >> 6 & 3)};
  }
};

constexpr std::uint32_t most_log_bytes = 4;  ///< of an access: 16 bytes

struct Event {
  std::uint64_t key;
  std::uint64_t operand;
  EventKind kind() const { return kind_of(key); }
  std::uint64_t pc() const { return pc_of(key); }
  std::uint32_t detail() const { return detail_of(key); }

  /// Is it of a kind that there is, with a detail that such a one may have?
  bool is_known() const {
    switch (kind()) {
      case EventKind::read:
      case EventKind::write: return detail() <= most_log_bytes;
      case EventKind::atomic: return AtomicDetail::of(detail()).log_bytes <= most_log_bytes;
      case EventKind::same_values: return detail() <= 64;
      default: return kind() <= EventKind::unseen_store;
    }
  }
};

}  // namespace teamsan::traces
