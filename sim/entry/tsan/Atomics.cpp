// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The compiler's atomic callbacks: the operation is carried out as asked (sequentially consistent, which is what one
/// lane at a time makes of it anyway), and recorded as an atomic access. An operation that leaves memory as it was is a
/// sign of waiting; one that changes it is progress.
#include "../../check/Access.hpp"
#include "../../check/AtomicOrdering.hpp"
#include "../../check/Atomics.hpp"
#include "../../check/FlatAccess.hpp"
#include "../../check/LockedCells.hpp"
#include "../../check/Polls.hpp"
#include "../../check/RangeCells.hpp"
#include "../../detect/LibraryCalls.hpp"
#include "../../detect/TeamChecks.hpp"
#include "../../machine/FunctorCopy.hpp"
#include "../../machine/RunningTeam.hpp"
#include "../../machine/UserSite.hpp"
#include "../../places/AtomicCode.hpp"
#include "../../places/Sites.hpp"

#include <utility>

namespace {

using namespace teamsan;

using trace::EventKind;

/// Where in the user's code the operation stands that the compiler has put at `call`.
Site users_site(Site call) {
  Site const users = user_site(call);
  if (users != call) [[unlikely]] detect::note_library_call(*hot.team, call, users);
  return users;
}

template <class T>
AtomicDeed deed(T const volatile* p, model::Operation operation, Site site, bool updates = false,
                model::AtomicKind kind = model::AtomicKind::integer_add) {
  constexpr std::uint8_t log_bytes = std::countr_zero(sizeof(T));
  return {reinterpret_cast<std::uintptr_t>(p), site, operation, log_bytes, updates, kind};
}

void record(AtomicDeed const& deed) {
  if (deed.address - hot.ignore_begin >= hot.ignore_bytes) return begin_atomic(deed);
  if (deed.operation != model::Operation::load && functor_copy.has(deed.address))
    note_functor_store(deed.address, deed.bytes(), deed.site);
}

/// An update by a flat launch's lane, of what lanes have only updated so far: it is joined. False: it is to be recorded.
template <class T>
bool join(T const volatile* p, Site site, model::AtomicKind atomic) {
  if constexpr (sizeof(T) < 4) {
    return false;
  } else {
    auto const address = reinterpret_cast<std::uintptr_t>(p);
    if (!hot.is_flat() || hot.in_runtime != 0 || address - arena::device >= arena::device_bytes ||
        !flat::update_quickly<sizeof(T)>(address, site))
      return false;
    note_atomic_instruction(site);
    hot.accesses += LaunchWeight::accesses_of_atomic;
    if (hot.counts()) log_access(address, std::countr_zero(sizeof(T)), model::Operation::atomic, site, atomic);
    return true;
  }
}

/// Lanes may tell each other something by it.
void note_signal(void const volatile* p) {
  if (reinterpret_cast<std::uintptr_t>(p) - hot.ignore_begin >= hot.ignore_bytes && hot.lane != nullptr)
    running_team().note_signal();
}

bool is_atomic_loop(Site site) {
  RuntimeScope const scope;
  return detect::is_atomic_loop(site);
}

/// Of a range's lanes: is it what the host makes of an update that a GPU has an instruction for? Such tell nobody anything.
bool is_update_by_loop(int order, Site call) {
  return order == __ATOMIC_RELAXED && on_lane() && running_team().joins_updates() && is_atomic_loop(call);
}

template <class T>
void outcome(T before, T after, Site site) {
  if (hot.lane == nullptr || hot.in_runtime != 0) return;
  trace::note(EventKind::effect, site, 0, before != after);
  end_atomic(before != after, site);
}

/// Kokkos' lock was taken (or not), or left. Taking it is no progress: a lane may wait for what it reads under the lock.
/// It lets others run where it holds none; an atomic load under a lock costs about as much as a hundred plain ones.
template <class T>
void lock_outcome(T before, T after, Site site, Site call) {
  if (before == after) return outcome(before, after, site);
  if (!on_lane()) return;
  if (after != 0) return take_kokkos_lock();
  leave_kokkos_lock();
  bool const loads = loads_under_kokkos_lock(call);
  trace::note(EventKind::effect, site, 0, loads ? traces::lock_left_by_load : traces::lock_left);
  left_kokkos_lock(loads, site);
}

/// Code outside nested ranges runs on every vector lane and every thread: see LaneRedundant.hpp, ThreadRedundant.hpp.
template <class T>
void note_effect(T volatile* p, T before, T after, Site site) {
  if constexpr (sizeof(T) <= 8) {
    if (before == after || !on_lane()) return;
    if (hot.lane->lane.vector_length == 1 && !hot.team->launch().facts.config.lanes_meet()) return;
    detect::note_repeatable_update(*hot.team, reinterpret_cast<std::uintptr_t>(p), sizeof(T), before, after, site);
  }
}

// GCC sends 16-byte __atomic builtins to libatomic; __sync compare-and-swap is one instruction (-mcx16).
template <class T>
bool swap_if(T volatile* p, T& expected, T desired) {
  if constexpr (sizeof(T) == 16) {
    T const found = __sync_val_compare_and_swap(p, expected, desired);
    bool const done = found == expected;
    expected = found;
    return done;
  } else {
    return __atomic_compare_exchange_n(p, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  }
}

template <class T>
T fetch(T const volatile* p) {
  if constexpr (sizeof(T) == 16)
    return __sync_val_compare_and_swap(const_cast<T volatile*>(p), T{0}, T{0});
  else
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}

template <class T>
T load(T const volatile* p, Site site) {
  record(deed(p, model::Operation::load, site));
  note_signal(p);
  T const value = fetch(p);
  acquired(p);
  handed_over(p, false, true, value, site);
  outcome(value, value, site);
  if (polls_for_long(p, static_cast<std::uint64_t>(value), site)) [[unlikely]] let_others_run(p, value, site);
  return value;
}

template <class T>
void store(T volatile* p, T value, int order, Site site) {
  record(deed(p, model::Operation::store, site));
  note_signal(p);
  T before = fetch(p);
  bool released = false;
  do {
    if (before != value && !std::exchange(released, true)) releases(p, order);
  } while (!swap_if(p, before, value));
  if (before == value) return;
  if (order != of_kokkos_lock) handed_over(p, true, false, before, site);
  outcome(before, value, site);
}

template <class T, class F>
[[gnu::noinline]] T update_slowly(T volatile* p, int order, Site site, Site call, F f, bool updates) {
  if (updates && order != of_kokkos_lock && join(p, site, model::AtomicKind::integer_add)) {
    if (orders_nothing(p, order)) {
      T before = fetch(p);
      while (!swap_if(p, before, f(before))) {
      }
      acquired(p);  // another worker may have released something since
      end_atomic(before != f(before), site);
      return before;
    }
  } else {
    record(deed(p, model::Operation::atomic, site, updates,
                updates ? model::AtomicKind::integer_add : model::AtomicKind::exchange));
    if (!updates) note_signal(p);
  }
  bool const notes = !updates || hot.lane == nullptr || !running_team().joins_updates();
  T before = fetch(p);
  T after{};
  bool released = false;
  do {
    after = f(before);
    if (before != after && !std::exchange(released, true)) releases(p, order, notes);
  } while (!swap_if(p, before, after));
  acquired(p);
  if (order == of_kokkos_lock) {
    lock_outcome(before, after, site, call);
  } else {
    if (notes) handed_over(p, before != after, true, before, site);
    outcome(before, after, site);
    note_effect(p, before, after, site);
  }
  return before;
}

/// By an instruction that was here before, of what lanes have only updated so far: all that most updates need.
template <class T>
[[gnu::always_inline]] inline bool join_quickly(T const volatile* p, int order, Site site) {
  if constexpr (sizeof(T) != 4 && sizeof(T) != 8) {
    return false;
  } else {
    auto const address = reinterpret_cast<std::uintptr_t>(p);
    if (hot.watch != Watch::flat || order != __ATOMIC_RELAXED || hot.in_runtime != 0) return false;
    FlatTable::Instruction& at = hot.flat_table->at(site);
    if (!at.covers<sizeof(T)>(address, site)) return false;
    if (hot.lane->volatile_load.address != 0 || !running_team().orders_nothing()) return false;
    if (at.pool == FlatTable::may_be_pool) at.pool = is_memory_pool(address);
    return at.pool == 0 && flat::update<sizeof(T)>(at, address);
  }
}

template <class T, class F>
[[gnu::always_inline]] inline T update(T volatile* p, int order, Site site, Site call, F f) {
  bool const updates = f(T{0}) != f(T{1});  // an exchange forgets the old value
  if (!updates || !join_quickly(p, order, site)) return update_slowly(p, order, site, call, f, updates);
  T before = fetch(p);
  while (!swap_if(p, before, f(before))) {
  }
  if (!running_team().orders_nothing()) [[unlikely]] acquired(p);  // another worker may have released something since
  note_atomic_instruction(site);
  running_team().note_progress();
  if (before == f(before) || hot.slice < 0) [[unlikely]] end_atomic(before != f(before), site);
  return before;
}

/// A lane's compare-and-swap that found another value.
struct FailedSwap {
  void const volatile* p = nullptr;
  Site site{};
  std::uint32_t lane = 0;
  std::uint64_t league_rank = 0, launch = 0, interval = 0;
  bool operator==(FailedSwap const&) const = default;
};
thread_local constinit FailedSwap failed_swap;

FailedSwap swap_of_lane(void const volatile* p, Site site) {
  if (!on_lane()) return {};
  Team const& team = *hot.team;
  return {p, site, who::lane(hot.me), team.league_rank(), team.launch().facts.number, team.interval()};
}

template <class T>
int compare_exchange(T volatile* p, T* expected, T desired, int order, Site site, Site call) {
  bool const loop = is_update_by_loop(order, call);
  T const wanted = *expected;
  // How often a loop of Kokkos' own tries hangs on when other teams come: it makes one access.
  bool const again = failed_swap.p != nullptr && std::exchange(failed_swap, {}) == swap_of_lane(p, call) &&
                     hot.trace_next == nullptr && is_atomic_loop(call);
  if (loop && (again || join(p, site, model::AtomicKind::compare_exchange))) {
    if (orders_nothing(p, order)) {
      bool const done = swap_if(p, *expected, desired);
      acquired(p);  // another worker may have released something since
      if (!done) failed_swap = swap_of_lane(p, call);
      end_atomic(done && wanted != desired, site);
      return done;
    }
  } else if (!again) {
    record(deed(p, model::Operation::atomic, site, true, model::AtomicKind::compare_exchange));
    if (!loop) note_signal(p);
  }
  if (wanted != desired && fetch(p) == wanted) releases(p, order, !loop);
  bool const done = swap_if(p, *expected, desired);
  if (!done) failed_swap = swap_of_lane(p, call);
  acquired(p);
  if (order != of_kokkos_lock && !loop) handed_over(p, done && wanted != desired, true, *expected, site);
  outcome(done ? wanted : desired, desired, site);
  if (done) note_effect(p, wanted, desired, site);
  return done;
}

/// Where nothing of the launch is checked: done, and a sign of waiting or getting on, as always. Kokkos' locks, which are taken
/// and left by other orders, go the long way.
bool is_unwatched(int order) { return hot.unwatched && order == __ATOMIC_RELAXED && hot.in_runtime == 0; }

template <class T, class F>
T update_unwatched(T volatile* p, Site site, F f) {
  T before = fetch(p);
  while (!swap_if(p, before, f(before))) {
  }
  end_atomic(before != f(before), site);
  return before;
}

template <class T>
int exchange_unwatched(T volatile* p, T* expected, T desired, Site site) {
  T const wanted = *expected;
  bool const done = swap_if(p, *expected, desired);
  end_atomic(done && wanted != desired, site);
  return done;
}

/// The lane has seen what is there, by an atomic that a load was all of. A range's lanes tell each other nothing by it.
[[gnu::noinline]] void saw(void const volatile* p, unsigned bytes, Site call) {
  acquired(p);
  if (running_team().joins_updates()) return;
  note_signal(p);
  Site const site = users_site(call);
  auto const may_take_over = [&](auto const volatile* word) { handed_over(word, false, true, fetch(word), site); };
  if (bytes == 4) return may_take_over(static_cast<unsigned const volatile*>(p));
  if (bytes == 8) return may_take_over(static_cast<unsigned long const volatile*>(p));
  if (bytes == 1) return may_take_over(static_cast<unsigned char const volatile*>(p));
  if (bytes == 2) return may_take_over(static_cast<unsigned short const volatile*>(p));
}

}  // namespace

#define TEAMSAN_USERS users_site(TEAMSAN_CALL)
#define TEAMSAN_ORDER meant_order(order, TEAMSAN_CALL, p)
#define TEAMSAN_UPDATE(bits, T, name, expression)                                                                      \
  T __tsan_atomic##bits##_##name(volatile T* p, T v, int order) {                                                      \
    if (is_unwatched(order)) [[unlikely]]                                                                              \
      return update_unwatched(p, TEAMSAN_CALL, [v](T old) -> T { return (expression); });                                \
    return update(p, TEAMSAN_ORDER, TEAMSAN_USERS, TEAMSAN_CALL,                                                          \
                  [v](T old) -> T { return (expression); });                                                           \
  }
#define TEAMSAN_ATOMICS(bits, T)                                                                                       \
  T __tsan_atomic##bits##_load(const volatile T* p, int) { return load(p, TEAMSAN_USERS); }                             \
  void __tsan_atomic##bits##_store(volatile T* p, T v, int order) { store(p, v, TEAMSAN_ORDER, TEAMSAN_USERS); }        \
  TEAMSAN_UPDATE(bits, T, exchange, (static_cast<void>(old), v))                                                       \
  TEAMSAN_UPDATE(bits, T, fetch_add, old + v)                                                                          \
  TEAMSAN_UPDATE(bits, T, fetch_sub, old - v)                                                                          \
  TEAMSAN_UPDATE(bits, T, fetch_and, old & v)                                                                          \
  TEAMSAN_UPDATE(bits, T, fetch_or, old | v)                                                                           \
  TEAMSAN_UPDATE(bits, T, fetch_xor, old ^ v)                                                                          \
  TEAMSAN_UPDATE(bits, T, fetch_nand, ~(old & v))                                                                      \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T desired, int order, int) {           \
    if (is_unwatched(order)) [[unlikely]] return exchange_unwatched(p, expected, desired, TEAMSAN_CALL);                 \
    return compare_exchange(p, expected, desired, TEAMSAN_ORDER, TEAMSAN_USERS, TEAMSAN_CALL);                            \
  }                                                                                                                    \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T desired, int order, int) {             \
    if (is_unwatched(order)) [[unlikely]] return exchange_unwatched(p, expected, desired, TEAMSAN_CALL);                 \
    return compare_exchange(p, expected, desired, TEAMSAN_ORDER, TEAMSAN_USERS, TEAMSAN_CALL);                            \
  }                                                                                                                    \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T desired, int order, int) {                 \
    if (is_unwatched(order)) [[unlikely]] {                                                                            \
      exchange_unwatched(p, &expected, desired, TEAMSAN_CALL);                                                           \
      return expected;                                                                                                 \
    }                                                                                                                  \
    compare_exchange(p, &expected, desired, TEAMSAN_ORDER, TEAMSAN_USERS, TEAMSAN_CALL);                                  \
    return expected;                                                                                                   \
  }

#pragma GCC visibility push(default)
extern "C" {

TEAMSAN_ATOMICS(8, unsigned char)
TEAMSAN_ATOMICS(16, unsigned short)
TEAMSAN_ATOMICS(32, unsigned)
TEAMSAN_ATOMICS(64, unsigned long)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
TEAMSAN_ATOMICS(128, unsigned __int128)
#pragma GCC diagnostic pop

/// Behind a plain load that was all of an atomic (backends/simt/overlay/desul): it orders as one that changed something.
void __teamsan_atomic_was_load(void const volatile* p, unsigned bytes) noexcept {
  if (hot.unwatched || !on_lane()) return;
  if (running_team().joins_updates() && !hot.team->launch().atomic_order->used()) [[likely]] return;
  saw(p, bytes, TEAMSAN_CALL);
}

void __tsan_atomic_thread_fence(int) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  if (!on_lane() || fences_for_kokkos_lock(TEAMSAN_CALL)) return;
  running_team().settle_volatile_load();
  teamsan::trace::note(teamsan::trace::EventKind::fence);
  RuntimeScope const scope;
  running_team().note_fence();
}
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
}
#pragma GCC visibility pop
