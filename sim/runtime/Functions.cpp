// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Function entry and exit: each lane keeps the call sites it came through, so that an access deep inside a library
/// function can name the user's line. Host threads keep none.
#include "../machine/Fiber.hpp"
#include "../machine/Team.hpp"
#include "../memory/Hot.hpp"
#include "../places/Sites.hpp"
#include "../trace/TeamTrace.hpp"

#pragma GCC visibility push(default)
extern "C" {

void __tsan_func_entry(void* call_site) {
  using teamsan::hot;
  std::uintptr_t* const top = hot.call_top;
  if (top < hot.call_end) [[likely]] *top = reinterpret_cast<std::uintptr_t>(call_site);
  hot.call_top = top + 1;
  if (hot.trace_next != nullptr && hot.in_runtime == 0) [[unlikely]]
    teamsan::trace::note(teamsan::trace::EventKind::call, teamsan::site_at(call_site));
}

void __tsan_func_exit() {
  using teamsan::hot;
  std::uintptr_t* const top = hot.call_top;
  // Never below the first: a lane's exception may have left several at once.
  if (top != hot.call_end - teamsan::Fiber::call_depth) [[likely]] hot.call_top = top - 1;
  if (hot.trace_next != nullptr && hot.in_runtime == 0) [[unlikely]]
    teamsan::trace::note(teamsan::trace::EventKind::leave);
}
}
#pragma GCC visibility pop
