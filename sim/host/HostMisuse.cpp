// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HostMisuse.hpp"

#include "../base/Options.hpp"
#include "../detect/Checker.hpp"
#include "../detect/MissingFence.hpp"
#include "../findings/Collector.hpp"
#include "../findings/Sentences.hpp"
#include "Usm.hpp"
#include "../memory/Allocations.hpp"
#include "../memory/Migration.hpp"
#include "../places/Program.hpp"
#include "../trace/Recorder.hpp"

#include <fmt/format.h>

#include <mutex>
#include <unordered_map>

namespace teamsan::detect {

namespace {

/// Per instruction, how often: a loop over a device View is one finding, not a million.
bool first_time(Site site) {
  static std::mutex mutex;
  static auto* const seen = new std::unordered_map<Site, std::uint64_t>;
  std::lock_guard const lock(mutex);
  return (*seen)[site]++ == 0;
}

char const* space_name(Allocation const& a) {
  if (a.usm == UsmKind::system) return "system";
  switch (a.space) {
    case Space::device: return "device";
    case Space::shared: return "shared";
    case Space::host_pinned: return "host-pinned";
  }
  return "";
}

/// A finding about what the host asks for, at the call.
void report_call(Rule rule, std::string title, std::uintptr_t address, std::string role, Because why,
                 Cure fix) {
  RuntimeScope const scope;
  if (!options().enabled(rule)) return;
  Finding f;
  f.rule = rule;
  f.title = std::move(title);
  if (find_allocation(address) != nullptr) f.data = describe_global(address, 0);
  Side side;
  side.role = std::move(role);
  side.callers = program().stack();
  f.sides.push_back(std::move(side));
  f.why = {std::move(why)};
  f.fix = remedy(fix);
  report(std::move(f));
}

}  // namespace

void host_access(Access const& access) {
  std::uintptr_t const a = access.address;
  Allocation const* const owner = find_allocation(a);
  bool const freed = owner && !owner->live;
  if (arena::contains(arena::shared, arena::shared_bytes + arena::pinned_bytes, a) && !freed) {
    check_host_access(access);
    if (a < arena::pinned && migration::host_touches(a, access.bytes)) trace::record(traces::HostTouchRecord{a, access.bytes});
    return;
  }
  RuntimeScope const scope;
  Rule const rule = freed ? Rule::out_of_bounds : Rule::wrong_space;
  if (!options().enabled(rule) || !first_time(access.site)) return;
  trace::record_host_access(access.kind, a, access.bytes, access.site);
  Finding f;
  f.rule = rule;
  bool const refused = access.kind == AccessKind::none;  // by Kokkos, which does not say what it was for, nor of which element
  f.title = fmt::format("{} of {}{} memory by the host", refused ? "use" : verb(access.kind), freed ? "freed " : "",
                        !owner ? "device" : space_name(*owner));
  if (arena::contains(arena::global, arena::global_bytes, a)) f.data = describe_global(a, access.bytes);
  Side side;
  if (refused) {
    f.data.index.clear();
    side.role = "asks for an element here";
  }
  side.access = access.kind;
  side.bytes = access.bytes;
  side.site = access.site;
  f.sides.push_back(std::move(side));
  if (freed) {
    f.why = {because(Reason::freed_before)};
    f.fix = remedy(Cure::free_after_use);
  } else {
    f.why = {because(refused ? Reason::refused_by_kokkos : Reason::device_memory)};
    f.fix = remedy(owner && owner->usm != UsmKind::none ? Cure::usm_copy : Cure::mirror);
  }
  report(std::move(f));
}

void bad_free(void* pointer) {
  auto const address = reinterpret_cast<std::uintptr_t>(pointer);
  Allocation const* const owner = find_allocation(address);
  if (owner && !owner->live && owner->begin == address) {
    report_call(Rule::out_of_bounds, fmt::format("{} memory is freed twice", space_name(*owner)), address, "freed here",
                because(Reason::it_was_freed_before), Cure::free_once);
  } else {
    bool const view = owner && owner->live && owner->usm == UsmKind::none;
    report_call(Rule::out_of_bounds, "free of a pointer that is no device allocation", address, "freed here",
                because(view ? Reason::belongs_to_kokkos : Reason::not_of_this_family), Cure::free_what_was_returned);
  }
}

void free_in_other_context(void* pointer, std::uint32_t context) {
  auto const address = reinterpret_cast<std::uintptr_t>(pointer);
  Allocation const* const owner = find_allocation(address);
  report_call(Rule::wrong_space, "free of another context's allocation", address, "freed here",
              because(Reason::context_of_free, context_name(owner->context), context_name(context)), Cure::free_in_context);
}

bool check_transfer(char const* what, char const* preposition, std::uintptr_t begin, std::size_t bytes,
                    std::uint32_t context) {
  if (bytes == 0 || !arena::contains(arena::global, arena::global_bytes, begin)) return true;
  trace::record(traces::TransferRecord{what, preposition, begin, bytes, context});
  Allocation const* const owner = find_allocation(begin);
  std::string const role = fmt::format("{} asked for here", what);
  if (owner == nullptr || !owner->live) {
    report_call(Rule::out_of_bounds, fmt::format("{} {} {}", what, preposition, owner ? "freed memory" : "no allocation"),
                begin, role, because(owner ? Reason::freed_before : Reason::never_allocated), Cure::free_after_use);
    return false;
  }
  if (begin < owner->data() || bytes > owner->end() - begin) {
    report_call(Rule::out_of_bounds, fmt::format("{} {} memory outside an allocation", what, preposition), begin, role,
                because(Reason::more_than_allocated, bytes,
                        std::to_string(static_cast<std::int64_t>(begin - owner->data())), owner->end() - owner->data()),
                Cure::copy_no_more);
    return false;
  }
  if (owner->context != no_context && owner->context != context) {
    report_call(Rule::wrong_space, fmt::format("{} {} another context's allocation", what, preposition), begin, role,
                because(Reason::context_of_instance, context_name(owner->context), context_name(context)),
                Cure::instance_of_context);
    return false;
  }
  return true;
}

}  // namespace teamsan::detect
