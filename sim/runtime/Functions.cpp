/// Function entry and exit: each lane keeps the call sites it came through, so that an access deep inside a library
/// function can name the user's line. Host threads keep none.
#include <teamsan/sim/machine/Fiber.hpp>
#include <teamsan/sim/machine/Team.hpp>
#include <teamsan/sim/machine/CallStack.hpp>
#include <teamsan/sim/memory/Hot.hpp>
#include <teamsan/sim/replay/Replay.hpp>
#include <teamsan/sim/trace/TeamTrace.hpp>

#include <algorithm>
#include <unwind.h>

namespace teamsan {

std::vector<std::uintptr_t> call_stack() {
  return hot.lane == nullptr ? std::vector<std::uintptr_t>() : call_stack(*hot.lane);
}

std::vector<std::uintptr_t> call_stack(LaneState const& lane) {
  std::vector<std::uintptr_t> callers;
  std::uintptr_t* const bottom = lane.fiber->calls;
  std::uintptr_t* const stored = std::min(&lane == hot.lane ? hot.call_top : lane.call_top, bottom + Fiber::call_depth);
  for (std::uintptr_t* p = stored; p != bottom && callers.size() != 16; --p) callers.push_back(p[-1]);
  return callers;
}

std::vector<std::uintptr_t> native_stack() {
  if (trace::replaying()) return trace::recorded_stack();
  std::vector<std::uintptr_t> frames;
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        auto& list = *static_cast<std::vector<std::uintptr_t>*>(data);
        list.push_back(_Unwind_GetIP(context));
        return list.size() == 48 ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &frames);
  if (hot.lane == nullptr) trace::record_stack(frames);
  return frames;
}

}  // namespace teamsan

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
