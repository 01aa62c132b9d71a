// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The definition of a race inside a team, and the bookkeeping that keeps it decidable from one Cell.
///
///   Two lanes touch the same byte, at least one writes, not both are atomic, and nothing orders them.
///
/// What orders them: Cell.hpp. `unordered` answers for one set of earlier accessors (the writers, or the readers);
/// `record` adds the running lane to such a set; `find_conflict` and `record` of a whole Cell are what an access does.
/// tests/unit/machine_word_model.cpp holds them to the definition, for each sequence of accesses.
#pragma once

#include "../../traces/Site.hpp"
#include "../base/Access.hpp"
#include "../memory/Cell.hpp"

#include <algorithm>
#include <utility>

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

/// A set of accessors of a word (those that wrote it, or those that read it) is kept as two marks. They are enough for what may
/// be asked: is there a member in no order with this lane, among all of them, or (an atomic asks) among the plain ones?
///   - one member, or several that one stands for: `first`;
///   - several that do: `second`, too, which is in another lane, and if any member is, in another thread. Flags of `first` say
///     which: who::several, who::many;
///   - plain members stand before atomic ones, for they conflict with more. who::atomic says of each mark what it is.
/// Exact wherever threads have one vector lane each. Of a thread's vector lanes that access the word by atomics and without,
/// beside another thread's atomic, one plain access may be given up: two of these lanes may then race unseen.
namespace ordering {

inline bool has_two(Who first) { return (first & (who::several | who::many)) != 0; }
/// Is one of them atomic and the other one not?
inline bool is_mixed(Mark const& first, Mark const& second) {
  return has_two(first.who) && !(first.who & who::atomic) && (second.who & who::atomic);
}
inline bool is_unordered(Who w, Runner const& r, Who since) {
  return w >= r.floor && !r.same_lane(w) && (!r.same_thread(w) || who::stamp(w) >= since);
}

/// Whoever conflicts with `other` conflicts with `w` too, of all lanes that are asked from now on.
inline bool stands_for(Who w, Who other, Runner const& r, Who since) {
  if ((w & who::atomic) && !(other & who::atomic)) return false;
  Who const differ = w ^ other;
  bool const one_lane = (differ & who::lane_mask) == 0;
  if (one_lane && who::stamp(w) >= who::stamp(other)) return true;
  if ((differ & r.other_thread) != 0 || !r.same_thread(w)) return false;
  return who::stamp(other) < since || (one_lane && who::stamp(w) >= since);
}

/// Puts the plain one first, and says how the two lie. `kept`: flags that stay.
inline void set_two(Mark& first, Mark& second, Mark a, Mark b, Runner const& r, Who mixed, Who kept) {
  if ((a.who & who::atomic) && !(b.who & who::atomic)) std::swap(a, b);
  bool const differ = (a.who & who::atomic) != (b.who & who::atomic);
  a.who |= ((a.who ^ b.who) & r.other_thread ? who::many : who::several) | (differ ? mixed : 0) | kept;
  first = a;
  second = b;
}

/// The runner joins a set all of which is plain, or all atomic, as it is itself.
inline void join_alike(Mark& first, Mark& second, Mark const& mine, Runner const& r, Who since) {
  Who const w = first.who;
  if (w & who::many) {
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

/// The runner joins a set of which some are plain and some atomic from now on.
inline void join_mixed(Mark& first, Mark& second, Mark const& mine, Runner const& r, Who since, Who mixed) {
  constexpr Who lies = who::several | who::many;
  Who const kept = first.who & ~(lies | mixed | who::atomic) & who::flags_mask;
  Mark set[3];
  unsigned members = 0;
  auto const add = [&](Mark m) {
    m.who &= ~(lies | mixed | kept);
    for (unsigned i = 0; i != members; ++i)
      if (stands_for(set[i].who, m.who, r, since)) return;
    unsigned left = 0;
    for (unsigned i = 0; i != members; ++i)
      if (!stands_for(m.who, set[i].who, r, since)) set[left++] = set[i];
    set[left] = m;
    members = left + 1;
  };
  Mark const a = first, b = second;
  add(a);
  if (has_two(a.who)) add({b.site, b.who | (a.who & who::atomic)});
  add(mine);
  if (members == 1) {
    first = {set[0].site, set[0].who | kept};
    return;
  }
  unsigned one = 0, other = 1;
  if (members == 3) {
    // A plain one, and of the others another thread's, a plain one if there is a choice.
    auto const plain = [&](unsigned i) { return !(set[i].who & who::atomic); };
    auto const threads_differ = [&](unsigned i, unsigned j) { return ((set[i].who ^ set[j].who) & r.other_thread) != 0; };
    while (one != 2 && !plain(one)) ++one;
    auto const worth = [&](unsigned i) { return 2 * threads_differ(one, i) + plain(i); };
    unsigned const x = one == 0 ? 1 : 0, y = one == 2 ? 1 : 2;
    other = worth(y) > worth(x) ? y : x;
  }
  set_two(first, second, set[one], set[other], r, mixed, kept);
}

}  // namespace ordering

/// One of the accessors that nothing orders with the runner, or nullptr. `since`: thread_writes for a set of writers,
/// thread_reads for one of readers. `plain_alone`: those that are atomic do not count.
inline Mark const* unordered(Mark const& first, Mark const& second, Runner const& r, Who since, bool plain_alone = false) {
  Who const w = first.who;
  if (w < r.floor || (plain_alone && (w & who::atomic))) return nullptr;
  if (ordering::is_mixed(first, second)) {
    if (ordering::is_unordered(w, r, since)) return &first;
    return !plain_alone && ordering::is_unordered(second.who, r, since) ? &second : nullptr;
  }
  if (w & who::many) return r.same_thread(w) ? &second : &first;
  if (!r.same_thread(w)) return &first;
  if (who::stamp(w) < since) return nullptr;
  if (!r.same_lane(w)) return &first;
  return w & who::several ? &second : nullptr;
}

/// Adds the runner to the set. `atomic` is who::atomic or 0. `mixed`: who::mixed for a set of readers, 0 for one of writers.
inline void record(Mark& first, Mark& second, Site site, Who atomic, Runner const& r, Who since, Who mixed) {
  Mark const mine{site, r.me | atomic};
  if (first.who < r.floor) {
    first = mine;
  } else if (((first.who ^ atomic) & who::atomic) == 0 && !ordering::is_mixed(first, second)) {
    ordering::join_alike(first, second, mine, r, since);
  } else if (mixed == 0 && (first.who & (who::redundant | who::result))) {
    // What lanes stored alike, and in no order with the runner, is told of already.
  } else {
    ordering::join_mixed(first, second, mine, r, since, mixed);
  }
}

/// Some of the members turn out to be atomic: those of these instructions.
template <class IsAtomic>
void recognise(Mark& first, Mark& second, Runner const& r, Who mixed, IsAtomic is_atomic) {
  Who const w = first.who;
  if (!who::touched(w) || (w & who::atomic)) return;
  Who const first_is = is_atomic(first.site) ? who::atomic : 0;
  if (!ordering::has_two(w)) {
    first.who |= first_is;
    return;
  }
  if (!(second.who & who::atomic) && is_atomic(second.site)) second.who |= who::atomic;
  Who const kept = w & who::flags_mask & ~(who::several | who::many | mixed);
  ordering::set_two(first, second, {first.site, (w & ~who::flags_mask) | first_is}, second, r, mixed, kept);
}

/// An earlier access that nothing orders with the runner's.
struct Unordered {
  Mark const* mark = nullptr;
  AccessKind kind = AccessKind::none;
};

/// One that the runner's access conflicts with: of those that wrote first.
[[gnu::always_inline]] inline Unordered find_conflict(Cell const& first, Cell const& second, AccessKind kind, Runner const& r) {
  bool const atomic = is_atomic(kind);
  if (Mark const* const m = unordered(first.write, second.write, r, r.thread_writes, atomic))
    return {m, access_kind(true, m->who & who::atomic)};
  if (!is_write(kind)) return {};
  Mark const* const m = unordered(first.read, second.read, r, r.thread_reads, atomic);
  return m != nullptr ? Unordered{m, access_kind(false, m->who & who::atomic)} : Unordered{};
}

/// The runner makes the access.
inline void record(Cell& first, Cell& second, AccessKind kind, Site site, Runner const& r) {
  Who const atomic = is_atomic(kind) ? who::atomic : 0;
  if (!is_write(kind))
    record(first.read, second.read, site, atomic, r, r.thread_reads, who::mixed);
  else if (atomic)
    record(first.write, second.write, site, atomic, r, r.thread_writes, 0);
  else
    first.write = {site, r.me};  // it conflicts with all that it is in no order with: whoever comes later does so with it, too
}

}  // namespace teamsan
