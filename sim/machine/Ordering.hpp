// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The definition of a race inside a team, and the bookkeeping that keeps it decidable from one Cell.
///
///   Two lanes touch the same byte, at least one writes, not both are atomic, and nothing orders them.
///
/// What orders them: Cell.hpp. `unordered` answers for one set of earlier accessors (the writers, or the readers);
/// `record` adds the running lane to such a set.
#pragma once

#include <teamsan/sim/memory/Cell.hpp>

#include <algorithm>

namespace teamsan {

/// The running lane, as far as order goes.
struct Runner {
  Who me;                 ///< stamp and lane index
  Who floor;              ///< stamp of the team's last barrier
  Who thread_writes;      ///< stamp of the last meeting that ordered all the lane's thread did (or of the barrier)
  Who thread_reads;       ///< stamp of the last one that ordered what the thread read: this or a later one
  Who other_thread;       ///< lane bits that differ between threads of the team
  bool same_lane(Who w) const { return who::lane(w) == who::lane(me); }
  bool same_thread(Who w) const { return ((w ^ me) & other_thread) == 0; }
};

/// One of the accessors that nothing orders with the runner, or nullptr. `since`: thread_writes for a set of writers,
/// thread_reads for one of readers.
inline Mark const* unordered(Mark const& first, Mark const& second, Runner const& r, Who since) {
  Who const w = first.who;
  if (w < r.floor) return nullptr;
  if (w & who::many) return r.same_thread(w) ? &second : &first;
  if (!r.same_thread(w)) return &first;
  if (who::stamp(w) < since) return nullptr;
  if (!r.same_lane(w)) return &first;
  return w & who::several ? &second : nullptr;
}

/// Adds the runner to the set. `atomic` is who::atomic or 0; a set counts as atomic while all its members are.
inline void record(Mark& first, Mark& second, std::uint32_t pc, Who atomic, Runner const& r, Who since) {
  Who const w = first.who;
  Mark const mine{pc, r.me | atomic};
  if (w < r.floor) {
    first = mine;
  } else if (!(w & who::atomic) && atomic) {
    // A plain accessor conflicts with more than an atomic one does: it stays.
  } else if ((w & who::atomic) && !atomic) {
    first = mine;
  } else if (w & who::many) {
    // Any two threads conflict with every third.
  } else if (!r.same_thread(w)) {
    second = mine;
    first.who = (w & ~who::several) | who::many;
  } else if (who::stamp(w) < since || (r.same_lane(w) && !(w & who::several))) {
    first = mine;
  } else if (!(w & who::several)) {
    second = mine;
    first.who |= who::several;
  }
}

}  // namespace teamsan
