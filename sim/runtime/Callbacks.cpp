// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The calls that a compiler places before each plain access under -fsanitize=thread, for GCC and Clang. They translate
/// and nothing else; what an access means is decided in Access.hpp and sim/detect.
#include "../places/Sites.hpp"
#include "Atomics.hpp"
#include "VirtualCalls.hpp"
#include "Watched.hpp"

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

/// From a check in line that did not do (entry/pass/gcc/Checks.cpp): the next time it may.
template <unsigned bytes>
void tell_check(void* p, std::uintptr_t return_address, std::uint32_t number) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  Site const by = site_at(return_address);
  if (hot.watch != Watch::flat) return;
  FlatTable::Instruction const& at = hot.flat_table->at(by);
  teamsan_flat_site const& known = hot.flat_table->in_line.sites[number % teamsan_flat_sites];
  bool const same = known.pc == return_address && known.begin == at.begin && known.room == at.room;
  if (!same && at.covers<bytes>(address, by)) hot.flat_table->know_in_line(number, return_address);
}
}  // namespace

#define TEAMSAN_FROM_CHECK(n)                                                            \
  void __teamsan_read##n(void* p, unsigned long long pc, unsigned number) {              \
    on_read<n>(p, site_at(pc));                                                          \
    tell_check<n>(p, pc, number);                                                        \
  }                                                                                      \
  void __teamsan_write##n(void* p, unsigned long long pc, unsigned number) {             \
    on_write<n>(p, site_at(pc));                                                         \
    tell_check<n>(p, pc, number);                                                        \
  }

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
TEAMSAN_FROM_CHECK(4)
TEAMSAN_FROM_CHECK(8)
TEAMSAN_FROM_CHECK(16)

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
