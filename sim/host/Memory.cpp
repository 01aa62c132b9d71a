// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Memory.hpp"

#include "../base/Arena.hpp"
#include "../base/Options.hpp"
#include "../detect/MissingFence.hpp"
#include "ClearedSums.hpp"
#include "HostMisuse.hpp"
#include "Limit.hpp"
#include "Mirrors.hpp"
#include "NeverSynced.hpp"
#include "NextAllocation.hpp"
#include "Outputs.hpp"
#include "../memory/DeviceWrites.hpp"
#include "../memory/GlobalShadow.hpp"
#include "../memory/Heap.hpp"
#include "../memory/HostObjects.hpp"
#include "../memory/Hot.hpp"
#include "../memory/LargePages.hpp"
#include "../memory/MemoryLimit.hpp"
#include "../places/Program.hpp"
#include "../trace/Fields.hpp"
#include "../trace/Recorder.hpp"

#include "../../model/device/Device.hpp"

#include <cstring>
#include <unistd.h>

namespace teamsan {

namespace {

std::size_t device_limit() {
  return options().device_memory != 0 ? options().device_memory : options().model().memory_bytes;
}

std::size_t pinned_limit() {
  static std::size_t const machine =
      static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return options().pinned_memory != 0 ? options().pinned_memory : machine;
}

bool is_global(std::uintptr_t address) { return arena::contains(arena::global, arena::global_bytes, address); }

/// All of it will be written next, and said to be initialised.
void take_large_pages(std::uintptr_t to, std::size_t bytes) {
  if (!is_global(to)) return;
  large_pages::take(to, bytes);
  large_pages::take(reinterpret_cast<std::uintptr_t>(global_shadow::cell(to)), bytes / 4 * sizeof(std::uint64_t));
}

}  // namespace

void check_memory_limit(Space space, std::size_t bytes, std::string_view label) {
  std::size_t const taken = heap::taken(space);
  std::size_t const limit = space == Space::device        ? device_limit()
                            : space == Space::host_pinned ? pinned_limit()
                                                          : 0;  // shared memory may exceed the device's
  if (limit == 0 || (taken <= limit && bytes <= limit - taken)) return;
  trace::record(traces::AllocateRecord{static_cast<std::uint8_t>(space), 0, bytes, 0, std::string(label), {}, false, {}});
  throw OutOfMemory(detect::report_memory_limit(space, label, bytes, taken, limit));
}

void* allocate(Space space, std::size_t bytes, std::size_t header_bytes, std::string_view label) {
  bool const system = take_next_is_system();
  Shape const shape = take_next_shape(bytes - header_bytes);
  return allocate({space, bytes, header_bytes, label, shape, system, true, calls_to_here()}, !system);
}

void* allocate(AllocationRequest const& request, bool limited) {
  if (limited) check_memory_limit(request.space, request.bytes - request.header_bytes, request.label);
  memory_limit::check(request.label, request.bytes);
  RuntimeScope const scope;
  Allocation const* const made = &heap::allocate(request, [&](Allocation const& a) {
    trace::record_places(a.calls);
    trace::record(traces::AllocateRecord{static_cast<std::uint8_t>(a.space), a.begin, request.bytes, a.header_bytes, a.label,
                                         trace::fields_of(a.shape), request.system, {a.calls.begin(), a.calls.end()}});
  });
  note_part_of_dual_view(*made);
  return reinterpret_cast<void*>(made->begin);
}

void deallocate(void* pointer) {
  detect::end_pending(~0u);  // backends wait for the whole device before they free
  note_sums_freed(pointer);
  end_device_side(pointer);
  bool const known = heap::deallocate(pointer, [&](Allocation const* a) {
    trace::record(traces::FreeRecord{reinterpret_cast<std::uintptr_t>(pointer)});
    if (a == nullptr) return;
    note_freed(*a);
    note_no_longer_cleared(a->begin, a->bytes);
    host_objects().forget(a->begin, a->bytes);
  });
  if (!known) detect::bad_free(pointer);
}

void copy(void* destination, void const* source, std::size_t bytes) {
  forget_next_shape();
  if (bytes == 0) return;
  RuntimeScope const scope;
  auto const to = reinterpret_cast<std::uintptr_t>(destination);
  auto const from = reinterpret_cast<std::uintptr_t>(source);
  if (is_global(from)) note_read_by_copy(from, bytes);
  take_large_pages(to, bytes);
  std::memmove(destination, source, bytes);
  note_mirror_copied(to, from, bytes);
  if (!is_global(to)) {
    if (is_global(from)) note_copy_to_host(source, bytes);
    return;
  }
  note_copied(to, from, bytes);
}

void note_copied(std::uintptr_t to, std::uintptr_t from, std::size_t bytes) {
  trace::record(traces::CopyRecord{to, from, bytes});
  note_no_longer_cleared(to, bytes);
  host_objects().copied(to, from, bytes);
  device_writes::note(to, to + bytes);
  if (is_global(from) && !may_be_written_unseen(from))
    global_shadow::copy_init(to, from, bytes);
  else
    global_shadow::mark_initialised(to, bytes);
}

void zero(void* destination, std::size_t bytes) {
  RuntimeScope const scope;
  auto const to = reinterpret_cast<std::uintptr_t>(destination);
  take_large_pages(to, bytes);
  std::memset(destination, 0, bytes);
  if (is_global(to)) note_initialised(to, bytes);
}

void note_initialised(std::uintptr_t to, std::size_t bytes) {
  trace::record(traces::InitialisedRecord{to, bytes});
  note_no_longer_cleared(to, bytes);
  host_objects().forget(to, bytes);
  device_writes::note(to, to + bytes);
  global_shadow::mark_initialised(to, bytes);
}

bool is_device_address(void const* pointer) noexcept { return is_global(reinterpret_cast<std::uintptr_t>(pointer)); }

}  // namespace teamsan
