// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// One access to memory, as the compiler's callbacks see it.
#pragma once

#include <cstdint>

namespace teamsan {

enum class AccessKind : std::uint8_t { none, read, write, atomic_read, atomic_write };

struct Access {
  std::uintptr_t address;
  std::uint32_t bytes;
  AccessKind kind;
  std::uintptr_t pc;
  bool updates = false;  ///< an atomic write whose result depends on the old value
  bool reads() const { return kind == AccessKind::read || kind == AccessKind::atomic_read || updates; }
  bool is_write() const { return kind == AccessKind::write || kind == AccessKind::atomic_write; }
  bool is_atomic() const { return kind == AccessKind::atomic_read || kind == AccessKind::atomic_write; }
};

}  // namespace teamsan
