// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// What the compiler's plug-in calls where an index lies outside an array of the function's own (entry/pass/gcc/OwnArrays.cpp),
/// and where a variable of its own is read that is gone (gcc/Gone.cpp).
#include "../../../base/OwnArrayIndex.hpp"

#include "../../../base/Api.hpp"
#include "../../../machine/Events.hpp"
#include "../../../machine/Team.hpp"
#include "../../../memory/Hot.hpp"
#include "../../../places/Sites.hpp"
#include "../../../trace/Fields.hpp"
#include "../../../trace/TeamTrace.hpp"

#include <algorithm>

extern "C" {

/// `bytes_and_kind`: of an element, times 2, plus 1 if it is written. 1: the index stays as it is; 0: the first element is
/// meant, since a lane's stack lies around the array.
TEAMSAN_API long long __teamsan_own_index(long long index, long long elements, unsigned long long bytes_and_kind,
                                          char const* name) noexcept {
  using namespace teamsan;
  if (hot.lane == nullptr || hot.in_runtime != 0) return 1;
  Site const site = TEAMSAN_CALL;
  OwnArrayIndex const of_array{name, index, elements, static_cast<std::uint32_t>(bytes_and_kind >> 1),
                               (bytes_and_kind & 1) != 0};
  RuntimeScope const scope;
  if (hot.trace_next != nullptr) trace::note_defined(trace::EventKind::own_array, site, trace::definition_of(of_array));
  events::left_own_array(*hot.team, of_array, site);
  return 0;
}

/// Before a read of that many bytes of a variable whose life is over (entry/pass/gcc/Gone.cpp).
TEAMSAN_API void __teamsan_own_gone(char const* name, unsigned long long bytes) noexcept {
  using namespace teamsan;
  if (hot.lane == nullptr || hot.in_runtime != 0) return;
  Site const site = TEAMSAN_CALL;
  RuntimeScope const scope;
  auto const number = static_cast<std::uint32_t>(std::min(bytes, 1023ull));  // as an event has room for
  if (hot.trace_next != nullptr) trace::note_defined(trace::EventKind::own_gone, site, name, number);
  events::read_what_is_gone(*hot.team, name, number, site);
}
}
