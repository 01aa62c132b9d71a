// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Access.hpp"

#include "../detect/Checker.hpp"
#include "../detect/MissingFence.hpp"
#include "../host/DualViews.hpp"
#include "../host/HostMisuse.hpp"
#include "../machine/FunctorCopy.hpp"
#include "../places/AtomicCode.hpp"
#include "../memory/DeviceWrites.hpp"
#include "../memory/HostStores.hpp"
#include "LockedCells.hpp"
#include "RangeCells.hpp"

namespace teamsan {

void checked_access(Access const& access, bool is_range) {
  if (hot.in_runtime != 0) return;
  if (hot.lane != nullptr) {
    if (hot.locks != 0) [[unlikely]] return detect::check_access(part_of_locked_atomic(access), is_range);
    return detect::check_access(access, is_range);
  }
  if (access.is_write()) {
    device_writes::note_host(access.address, access.bytes);
    host_stores::note(access.address, access.bytes, access.site);
  } else {
    check_read_by_host(access);
  }
  if (arena::contains(arena::program, arena::program_bytes, access.address))
    detect::host_access(access);
  else
    detect::check_host_access(access);
}

Access part_of_locked_atomic(Access access) {
  if (access.is_atomic() || (hot.is_flat() && access.address - arena::device < arena::device_bytes)) return access;
  bool begins_update = false;
  {
    RuntimeScope const scope;
    if (!detect::is_under_kokkos_lock(access.site)) return access;
    begins_update = hot.of_range && !access.is_write() && detect::is_atomic_loop(access.site);
  }
  if (begins_update) note_users_call(access.site);
  access.kind = access_kind(access.is_write() || begins_update, true);
  access.updates = begins_update;
  return access;
}

Line* line_of_words(std::uintptr_t address, std::uint32_t bytes) {
  RuntimeScope const scope;
  TeamShadow& shadow = hot.team->shadow();
  Line& line = shadow.line_for(address, bytes);
  hot.index = shadow.index();
  hot.index_shift = shadow.shift();
  return line.per_byte == nullptr ? &line : nullptr;
}

void access_range(std::uintptr_t address, std::size_t bytes, AccessKind kind, Site site) {
  trace::note_range(kind == AccessKind::read ? trace::EventKind::range_read : trace::EventKind::range_write, address, bytes,
                    site);
  if (hot.in_runtime == 0) hot.accesses += bytes / 8 + 1;
  if (hot.counts())
    log_range(address, bytes, kind == AccessKind::read ? model::Operation::load : model::Operation::store, site);
  while (bytes != 0) {  // Access counts 32 bits
    std::uint32_t const part = static_cast<std::uint32_t>(bytes < (1u << 30) ? bytes : 1u << 30);
    checked_access({address, part, kind, site}, true);
    address += part;
    bytes -= part;
  }
}

namespace {
void write_functor(std::uintptr_t address, std::uint32_t bytes, Site site) {
  trace::note_range(trace::EventKind::range_write, address, bytes, site);
  checked_access({address, bytes, AccessKind::write, site}, true);
}
}  // namespace

void note_functor_store(std::uintptr_t address, std::uint32_t bytes, Site site) {
  functor_copy.told = true;
  write_functor(functor_copy.functor + (address - functor_copy.begin), bytes, site);
}

// Of lanes that took turns, the latest copy may be another one's, or done with.
void note_changed_functor() { write_functor(reinterpret_cast<std::uintptr_t>(hot.team->launch().kernel), 1, Site{}); }

}  // namespace teamsan
