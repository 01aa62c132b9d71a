/// Function entry and exit: each lane keeps the call sites it came through, so that an access deep inside a library
/// function can name the user's line. Host threads keep none.
#include <teamsan/sim/machine/Fiber.hpp>
#include <teamsan/sim/machine/Team.hpp>
#include <teamsan/sim/memory/Hot.hpp>
#include <teamsan/sim/trace/TeamTrace.hpp>

extern "C" {

void __tsan_func_entry(void* call_site) {
  using teamsan::hot;
  if (hot.lane == nullptr) return;
  if (hot.call_top < hot.lane->fiber->calls + teamsan::Fiber::call_depth)
    *hot.call_top = reinterpret_cast<std::uintptr_t>(call_site);
  ++hot.call_top;
  if (hot.trace_next != nullptr && hot.in_runtime == 0) [[unlikely]]
    teamsan::trace::note(teamsan::trace::EventKind::call, reinterpret_cast<std::uintptr_t>(call_site));
}

void __tsan_func_exit() {
  using teamsan::hot;
  if (hot.lane != nullptr && hot.call_top > hot.lane->fiber->calls) --hot.call_top;
  if (hot.trace_next != nullptr && hot.in_runtime == 0) [[unlikely]]
    teamsan::trace::note(teamsan::trace::EventKind::leave);
}
}
