// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Functions that are entered and left: each lane keeps the call sites it came through, so that an access deep inside a library
/// function can name the user's line. Host threads keep none.
#pragma once

#include "../machine/Fiber.hpp"
#include "../memory/Hot.hpp"
#include "../places/Sites.hpp"
#include "../trace/TeamTrace.hpp"

#include <cstdint>

namespace teamsan {

[[gnu::always_inline]] inline void enter_function(std::uintptr_t call_site) {
  std::uintptr_t* const top = hot.call_top;
  if (top < hot.call_end) [[likely]] *top = call_site;
  hot.call_top = top + 1;
  if (hot.trace_next != nullptr && hot.in_runtime == 0) [[unlikely]]
    trace::note(trace::EventKind::call, site_at(call_site));
}

[[gnu::always_inline]] inline void leave_function() {
  std::uintptr_t* const top = hot.call_top;
  // Never below the first: a lane's exception may have left several at once.
  if (top != hot.call_end - Fiber::call_depth) [[likely]] hot.call_top = top - 1;
  if (hot.trace_next != nullptr && hot.in_runtime == 0) [[unlikely]]
    trace::note(trace::EventKind::leave);
}

}  // namespace teamsan
