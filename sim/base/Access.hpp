// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One access to memory, as the compiler's callbacks see it.
#pragma once

#include "../../traces/Site.hpp"

#include <cstdint>

namespace teamsan {

enum class AccessKind : std::uint8_t { none, read, write, atomic_read, atomic_write };

constexpr bool is_write(AccessKind kind) { return kind == AccessKind::write || kind == AccessKind::atomic_write; }
constexpr bool is_atomic(AccessKind kind) { return kind == AccessKind::atomic_read || kind == AccessKind::atomic_write; }
constexpr AccessKind access_kind(bool writes, bool atomic) {
  if (writes) return atomic ? AccessKind::atomic_write : AccessKind::write;
  return atomic ? AccessKind::atomic_read : AccessKind::read;
}

/// Two accesses to a common byte, by lanes that nothing orders: do they race? Asked by all that tell races.
constexpr bool conflict(AccessKind a, AccessKind b) {
  return (is_write(a) || is_write(b)) && !(is_atomic(a) && is_atomic(b));
}

struct Access {
  std::uintptr_t address;
  std::uint32_t bytes;
  AccessKind kind;
  Site site;
  bool updates = false;  ///< an atomic write whose result depends on the old value
  bool reads() const { return kind == AccessKind::read || kind == AccessKind::atomic_read || updates; }
  bool is_write() const { return teamsan::is_write(kind); }
  bool is_atomic() const { return teamsan::is_atomic(kind); }
};

}  // namespace teamsan
