/// The compiler's atomic callbacks: the operation is carried out as asked (sequentially consistent, which is what one
/// lane at a time makes of it anyway), and recorded as an atomic access. An operation that leaves memory as it was is a
/// sign of waiting; one that changes it is progress.
#include <teamsan/sim/machine/Team.hpp>
#include <teamsan/sim/runtime/Access.hpp>

namespace {

using namespace teamsan;

template <class T>
void record(T const volatile* p, AccessKind kind, std::uintptr_t pc) {
  auto const address = reinterpret_cast<std::uintptr_t>(p);
  if (address - hot.ignore_begin < hot.ignore_bytes) return;
  checked_access({address, sizeof(T), kind, pc}, false);
}

template <class T>
void outcome(T before, T after, std::uintptr_t pc) {
  if (hot.lane == nullptr || hot.in_runtime != 0) return;
  if (before != after)
    hot.team->note_progress();
  else if ((hot.slice -= 10) < 0)
    spinning(pc, true);
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
T load(T const volatile* p, std::uintptr_t pc) {
  record(p, AccessKind::atomic_read, pc);
  T const value = fetch(p);
  outcome(value, value, pc);
  return value;
}

template <class T>
void store(T volatile* p, T value, std::uintptr_t pc) {
  record(p, AccessKind::atomic_write, pc);
  T before = fetch(p);
  while (!swap_if(p, before, value)) {
  }
  if (before != value && hot.lane != nullptr && hot.in_runtime == 0) hot.team->note_progress();
}

template <class T, class F>
T update(T volatile* p, std::uintptr_t pc, F f) {
  record(p, AccessKind::atomic_write, pc);
  T before = fetch(p);
  T after = f(before);
  while (!swap_if(p, before, after)) after = f(before);
  outcome(before, after, pc);
  return before;
}

template <class T>
int compare_exchange(T volatile* p, T* expected, T desired, std::uintptr_t pc) {
  record(p, AccessKind::atomic_write, pc);
  T const wanted = *expected;
  bool const done = swap_if(p, *expected, desired);
  outcome(done ? wanted : desired, desired, pc);
  return done;
}

}  // namespace

#define TEAMSAN_PC reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define TEAMSAN_UPDATE(bits, T, name, expression)                             \
  T __tsan_atomic##bits##_##name(volatile T* p, T v, int) {                   \
    return update(p, TEAMSAN_PC, [v](T old) -> T { return (expression); });   \
  }
#define TEAMSAN_ATOMICS(bits, T)                                                                          \
  T __tsan_atomic##bits##_load(const volatile T* p, int) { return load(p, TEAMSAN_PC); }                  \
  void __tsan_atomic##bits##_store(volatile T* p, T v, int) { store(p, v, TEAMSAN_PC); }                  \
  TEAMSAN_UPDATE(bits, T, exchange, (static_cast<void>(old), v))                                          \
  TEAMSAN_UPDATE(bits, T, fetch_add, old + v)                                                             \
  TEAMSAN_UPDATE(bits, T, fetch_sub, old - v)                                                             \
  TEAMSAN_UPDATE(bits, T, fetch_and, old & v)                                                             \
  TEAMSAN_UPDATE(bits, T, fetch_or, old | v)                                                              \
  TEAMSAN_UPDATE(bits, T, fetch_xor, old ^ v)                                                             \
  TEAMSAN_UPDATE(bits, T, fetch_nand, ~(old & v))                                                         \
  int __tsan_atomic##bits##_compare_exchange_strong(volatile T* p, T* expected, T desired, int, int) {    \
    return compare_exchange(p, expected, desired, TEAMSAN_PC);                                            \
  }                                                                                                       \
  int __tsan_atomic##bits##_compare_exchange_weak(volatile T* p, T* expected, T desired, int, int) {      \
    return compare_exchange(p, expected, desired, TEAMSAN_PC);                                            \
  }                                                                                                       \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T* p, T expected, T desired, int, int) {          \
    compare_exchange(p, &expected, desired, TEAMSAN_PC);                                                  \
    return expected;                                                                                      \
  }

extern "C" {

TEAMSAN_ATOMICS(8, unsigned char)
TEAMSAN_ATOMICS(16, unsigned short)
TEAMSAN_ATOMICS(32, unsigned)
TEAMSAN_ATOMICS(64, unsigned long)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic"
TEAMSAN_ATOMICS(128, unsigned __int128)
#pragma GCC diagnostic pop

void __tsan_atomic_thread_fence(int) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void __tsan_atomic_signal_fence(int) { __atomic_signal_fence(__ATOMIC_SEQ_CST); }
}
