// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The calls that a compiler places before each plain access under -fsanitize=thread, for GCC and Clang. They translate
/// and nothing else; what an access means is decided in sim/check and sim/detect.
#include "../../check/Atomics.hpp"
#include "../../check/Watched.hpp"
#include "../../places/Sites.hpp"
#include "VirtualTables.hpp"

#include <bit>

namespace {
using namespace teamsan;

void range(void const* p, std::size_t bytes, AccessKind kind, Site site) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (bytes == 0 || is_ignored(address, static_cast<std::uint32_t>(bytes), kind, site)) return;
  access_range(address, bytes, kind, site);
}

/// Through a pointer to volatile. One that is not aligned, or of the host, is a plain one.
template <unsigned bytes, AccessKind kind>
void on_volatile(void* p, Site site) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (address % bytes != 0) return range(p, bytes, kind, site);
  bool const on_lane = hot.lane != nullptr && hot.in_runtime == 0;
  if (!on_lane) return on_access<bytes, kind>(p, site);
  volatile_access({.address = address,
                   .site = site,
                   .operation = operation_of<kind>,
                   .log_bytes = std::countr_zero(bytes),
                   .by_volatile = true});
}
}  // namespace

#define TEAMSAN_CALLBACKS(n)                                                                       \
  void __tsan_read##n(void* p) { on_read<n>(p, TEAMSAN_CALL); }                                      \
  void __tsan_write##n(void* p) { on_write<n>(p, TEAMSAN_CALL); }                                    \
  void __tsan_volatile_read##n(void* p) { on_volatile<n, AccessKind::read>(p, TEAMSAN_CALL); }        \
  void __tsan_volatile_write##n(void* p) { on_volatile<n, AccessKind::write>(p, TEAMSAN_CALL); }      \
  void __tsan_unaligned_read##n(void* p) { range(p, n, AccessKind::read, TEAMSAN_CALL); }            \
  void __tsan_unaligned_write##n(void* p) { range(p, n, AccessKind::write, TEAMSAN_CALL); }          \
  void __tsan_unaligned_volatile_read##n(void* p) { on_volatile<n, AccessKind::read>(p, TEAMSAN_CALL); }   \
  void __tsan_unaligned_volatile_write##n(void* p) { on_volatile<n, AccessKind::write>(p, TEAMSAN_CALL); } \
  void __tsan_read_write##n(void* p) {                                                             \
    on_read<n>(p, TEAMSAN_CALL);                                                                     \
    on_write<n>(p, TEAMSAN_CALL);                                                                    \
  }                                                                                                \
  void __tsan_unaligned_read_write##n(void* p) {                                                   \
    range(p, n, AccessKind::read, TEAMSAN_CALL);                                                     \
    range(p, n, AccessKind::write, TEAMSAN_CALL);                                                    \
  }

#pragma GCC visibility push(default)
extern "C" {

TEAMSAN_CALLBACKS(1)
TEAMSAN_CALLBACKS(2)
TEAMSAN_CALLBACKS(4)
TEAMSAN_CALLBACKS(8)
TEAMSAN_CALLBACKS(16)

void __tsan_read_range(void* p, unsigned long bytes) { range(p, bytes, AccessKind::read, TEAMSAN_CALL); }
void __tsan_write_range(void* p, unsigned long bytes) { range(p, bytes, AccessKind::write, TEAMSAN_CALL); }

// A virtual call reads the object's first word; which table it points to is the compiler's business.
void __tsan_vptr_read(void** p) { on_read<8>(p, TEAMSAN_CALL); }
void __tsan_vptr_update(void** p, void* table) {
  note_table_stored(p, table);
  on_write<8>(p, TEAMSAN_CALL);
}

/// Marks an instrumented program for the launcher.
[[gnu::used]] extern int const __teamsan_runtime = 1;
}
#pragma GCC visibility pop
