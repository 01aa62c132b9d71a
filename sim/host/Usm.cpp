// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Usm.hpp"

#include "../base/Options.hpp"
#include "../base/PatientMutex.hpp"
#include "../base/UsmAspects.hpp"
#include "HostMisuse.hpp"
#include "Launch.hpp"
#include "Memory.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/Hot.hpp"
#include "../memory/Migration.hpp"
#include "../trace/Recorder.hpp"

#include <cstring>
#include <mutex>
#include <unordered_map>

namespace teamsan {

namespace {

std::uintptr_t address_of(void const* pointer) { return reinterpret_cast<std::uintptr_t>(pointer); }

/// Records are never moved or destroyed: the program's own thread may change what it has just allocated.
Allocation* record_of(void const* pointer) { return const_cast<Allocation*>(find_allocation(address_of(pointer))); }

struct Instances {
  PatientMutex mutex;
  std::unordered_map<std::uint32_t, std::uint32_t> context;
  static Instances& all() {
    static Instances* const instances = new Instances;  // outlives exit handlers
    return *instances;
  }
};

}  // namespace

void usm_adopt(void* pointer, UsmKind kind, std::uint32_t context) {
  trace::record(traces::UsmAllocationRecord{address_of(pointer), static_cast<std::uint8_t>(kind), context});
  Allocation* const a = record_of(pointer);
  a->usm = kind;
  a->context = kind == UsmKind::system ? no_context : context;
  a->host_only = kind == UsmKind::system && !usm_aspects().system_allocations;
  if (a->pages) a->pages->explicit_usm();
}

bool usm_may_free(void* pointer, std::uint32_t context) {
  RuntimeScope const scope;
  trace::record(traces::UsmFreeRecord{address_of(pointer), context});
  Allocation const* const a = record_of(pointer);
  if (a == nullptr || !a->live || a->begin != address_of(pointer) || a->usm == UsmKind::none) {
    detect::bad_free(pointer);
    return false;
  }
  if (a->context != no_context && a->context != context) detect::free_in_other_context(pointer, context);
  return true;
}

UsmKind usm_kind(void const* pointer, std::uint32_t context) noexcept {
  Allocation const* const a = record_of(pointer);
  if (a == nullptr || !a->live || address_of(pointer) < a->data() || address_of(pointer) >= a->end())
    return UsmKind::none;
  return a->context == no_context || a->context == context ? a->usm : UsmKind::none;
}

std::uint32_t usm_owner(void const* pointer) noexcept {
  Allocation const* const a = record_of(pointer);
  return a == nullptr || !a->live ? no_context : a->context;
}

void usm_bind_instance(std::uint32_t instance, std::uint32_t context) {
  trace::record(traces::UsmContextRecord{instance, context});
  Instances& all = Instances::all();
  std::lock_guard const lock(all.mutex);
  all.context[instance] = context;
}

std::uint32_t usm_context_of(std::uint32_t instance) {
  Instances& all = Instances::all();
  std::lock_guard const lock(all.mutex);
  auto const found = all.context.find(instance);
  return found == all.context.end() ? default_context : found->second;
}

void usm_copy(std::uint32_t instance, void* to, void const* from, std::size_t bytes) {
  RuntimeScope const scope;
  std::uint32_t const context = usm_context_of(instance);
  bool const reads = detect::check_transfer("copy", "from", address_of(from), bytes, context);
  bool const writes = detect::check_transfer("copy", "to", address_of(to), bytes, context);
  if (!reads || !writes) return;
  copy(to, from, bytes);
  pend_read(instance, from, bytes);
  pend_write(instance, to, bytes, AsyncWork::copy);
}

void usm_fill(std::uint32_t instance, void* to, unsigned char value, std::size_t bytes) {
  RuntimeScope const scope;
  if (!detect::check_transfer("fill", "of", address_of(to), bytes, usm_context_of(instance))) return;
  std::memset(to, value, bytes);
  if (is_device_address(to)) note_initialised(address_of(to), bytes);
  pend_write(instance, to, bytes, AsyncWork::copy);
}

void usm_prefetch(std::uint32_t instance, void const* pointer, std::size_t bytes, bool to_device) {
  RuntimeScope const scope;
  if (!detect::check_transfer("prefetch", "of", address_of(pointer), bytes, usm_context_of(instance))) return;
  if (bytes != 0 && migration::prefetch(address_of(pointer), bytes, to_device))
    trace::record(traces::PrefetchRecord{address_of(pointer), bytes, to_device});
}

void usm_advise(std::uint32_t instance, void const* pointer, std::size_t bytes) {
  RuntimeScope const scope;
  detect::check_transfer("advice", "on", address_of(pointer), bytes, usm_context_of(instance));
}

}  // namespace teamsan
