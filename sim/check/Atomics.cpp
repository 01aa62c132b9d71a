// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Atomics.hpp"

#include "../detect/TeamChecks.hpp"
#include "../detect/VolatileAccess.hpp"
#include "../machine/LaunchWeight.hpp"
#include "../machine/RunningTeam.hpp"
#include "../machine/Spinning.hpp"
#include "../trace/TeamTrace.hpp"
#include "Access.hpp"
#include "RangeCells.hpp"

namespace teamsan {

void note_atomic_instruction(Site site) { hot.team->checks().found->atomics.note(site); }

void begin_atomic(AtomicDeed const& deed) {
  bool const plain = deed.by_volatile && hot.team->sync() == Sync::portable;
  if (plain) detect::note_volatile(deed.site);
  if (hot.trace_next != nullptr && hot.in_runtime == 0) [[unlikely]]
    trace::note_atomic(deed);
  bool const global = arena::contains(arena::global, arena::global_bytes, deed.address);
  if (global && deed.operation == model::Operation::atomic && hot.lane != nullptr) note_atomic_instruction(deed.site);
  if (deed.is_load()) tell_threads_apart();
  if (hot.in_runtime == 0) hot.accesses += LaunchWeight::accesses_of_atomic;
  if (hot.counts()) log_access(deed.address, deed.log_bytes, deed.operation, deed.site, deed.kind);
  if (deed.kind == model::AtomicKind::compare_exchange && is_updated_by_load(deed.address)) return;
  checked_access({deed.address, deed.bytes(), access_kind(!deed.is_load(), !plain), deed.site, deed.updates}, false);
}

void end_atomic(bool changed, Site site) {
  if (changed) {
    running_team().note_progress();
    if (hot.slice < 0) spinning(site, true);
  } else if ((hot.slice -= 10) < 0) {
    spinning(site, true);
  }
}

void left_kokkos_lock(bool only_loaded, Site site) {
  if (!only_loaded) running_team().note_progress();
  if ((hot.slice -= 100) < 0) spinning(site, true);
}

}  // namespace teamsan
