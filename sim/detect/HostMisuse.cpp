#include <teamsan/sim/detect/HostMisuse.hpp>

#include <teamsan/sim/Options.hpp>
#include <teamsan/sim/detect/Checker.hpp>
#include <teamsan/sim/detect/MissingFence.hpp>
#include <teamsan/sim/memory/Allocations.hpp>
#include <teamsan/sim/report/Collector.hpp>
#include <teamsan/sim/runtime/CallStack.hpp>

#include <fmt/format.h>

#include <mutex>
#include <unordered_map>

namespace teamsan::detect {

namespace {

/// Per instruction, how often: a loop over a device View is one finding, not a million.
bool first_time(std::uintptr_t pc) {
  static std::mutex mutex;
  static auto* const seen = new std::unordered_map<std::uintptr_t, std::uint64_t>;
  std::lock_guard const lock(mutex);
  return (*seen)[pc]++ == 0;
}

}  // namespace

void host_access(Access const& access) {
  std::uintptr_t const a = access.address;
  if (arena::contains(arena::shared, arena::shared_bytes + arena::pinned_bytes, a)) {
    check_host_access(access);
    return;
  }
  RuntimeScope const scope;
  Allocation const* const owner = find_allocation(a);
  bool const freed = owner && !owner->live;
  Rule const rule = freed ? Rule::out_of_bounds : Rule::wrong_space;
  if (!options().enabled(rule) || !first_time(access.pc)) return;
  Finding f;
  f.rule = rule;
  f.title = freed ? fmt::format("{} of freed device memory by the host", verb(access.kind))
                  : fmt::format("{} of device memory by the host", verb(access.kind));
  if (arena::contains(arena::global, arena::global_bytes, a)) f.data = describe_global(a, access.bytes);
  Side side;
  side.access = access.kind;
  side.bytes = access.bytes;
  side.pc = access.pc;
  f.sides.push_back(std::move(side));
  f.why = {"the address lies in the GPU's own memory, which the host cannot reach"};
  f.fix = "use create_mirror_view and deep_copy, or SharedSpace";
  report(std::move(f));
}

void bad_free(void* pointer) {
  RuntimeScope const scope;
  if (!options().enabled(Rule::out_of_bounds)) return;
  Finding f;
  f.rule = Rule::out_of_bounds;
  Allocation const* const owner = find_allocation(reinterpret_cast<std::uintptr_t>(pointer));
  bool const twice = owner && !owner->live && owner->begin == reinterpret_cast<std::uintptr_t>(pointer);
  f.title = twice ? "device memory is freed twice" : "free of a pointer that is no device allocation";
  if (owner) f.data = describe_global(reinterpret_cast<std::uintptr_t>(pointer), 0);
  f.why = {twice ? "it was freed before" : "only what the space's allocate returned can be freed"};
  Side side;
  side.role = "freed here";
  side.callers = native_stack();
  f.sides.push_back(std::move(side));
  f.fix = "free each allocation once, with the pointer that was returned";
  report(std::move(f));
}

}  // namespace teamsan::detect
