// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../detect/Handovers.hpp"
#include "../detect/VolatileAccess.hpp"
#include "Access.hpp"
#include "AtomicOrdering.hpp"
#include "Atomics.hpp"
#include "Polls.hpp"

namespace teamsan {

namespace {
/// Before the access: between the callback and what it is called for nobody else of the team may run.
void volatile_turn(bool changes, Site site) {
  trace::note(trace::EventKind::effect, site, 0, changes);
  end_atomic(changes, site);
}
}  // namespace

void volatile_access(AtomicDeed const& deed) {
  if (deed.address - hot.ignore_begin < hot.ignore_bytes)
    return deed.is_load() && hot.watch == Watch::nothing ? pass_over(deed.address) : void();
  void* const p = reinterpret_cast<void*>(deed.address);
  if (deed.is_load() && hot.lane->volatile_load.address != deed.address) running_team().settle_volatile_load();
  volatile_turn(!deed.is_load(), deed.site);
  if (deed.is_load()) latest_poll.p = nullptr, latest_poll.waits = false;  // who looks here, too, waits for more than a word
  begin_atomic(deed);
  running_team().note_signal();
  if (deed.is_load()) {
    acquired(p);
    hot.lane->volatile_load = {deed.address, deed.site, deed.log_bytes};
    hot.lanes_ahead = 0;
    return detect::note_volatile_load(*hot.team, hot.lane->volatile_load);
  }
  releases(p, __ATOMIC_RELAXED);
  if (!detect::may_hand_over(deed.address)) return;
  RuntimeScope const scope;
  detect::note_handover(*hot.team, deed.address, deed.site, {true, false, true}, 0);
}

}  // namespace teamsan
