// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// The calls by which the host has come here. To unwind them takes as long as a small launch, and a program launches from the
/// same places again and again: where each return address of a walk was found is remembered, and calls are the same ones if all
/// these places, from the innermost on, hold the same addresses once more.
#include "Program.hpp"

#include "../base/OfThread.hpp"
#include "Sites.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <pthread.h>
#include <unwind.h>

namespace teamsan {

namespace {

constexpr std::size_t most_calls = 48;

struct Walk {
  std::size_t count = 0;
  std::size_t first = 0;  ///< behind those of the functions here, whose places are gone
  Site frames[most_calls];
  std::uintptr_t addresses[most_calls];
  std::uintptr_t places[most_calls];  ///< on the stack
};

void unwind(Walk& walk) {
  _Unwind_Backtrace(
      [](_Unwind_Context* context, void* data) {
        Walk& to = *static_cast<Walk*>(data);
        to.addresses[to.count] = _Unwind_GetIP(context);
        // What a frame returns to lies right below where its caller's stack is then.
        to.places[to.count] = _Unwind_GetCFA(context) - sizeof(std::uintptr_t);
        to.frames[to.count] = site_at(to.addresses[to.count]);
        return ++to.count == most_calls ? _URC_END_OF_STACK : _URC_NO_REASON;
      },
      &walk);
}

#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)

/// A thread's own stack: there it may look at frames that are not its own.
struct ThreadStack {
  std::uintptr_t begin = 0, bytes = 0;
  ThreadStack() {
    pthread_attr_t attributes;
    if (::pthread_getattr_np(::pthread_self(), &attributes) != 0) return;
    void* lowest = nullptr;
    std::size_t size = 0;
    if (::pthread_attr_getstack(&attributes, &lowest, &size) == 0) {
      begin = reinterpret_cast<std::uintptr_t>(lowest);
      bytes = size;
    }
    ::pthread_attr_destroy(&attributes);
  }
  bool has(std::uintptr_t place) const { return place - begin < bytes && place % sizeof(std::uintptr_t) == 0; }
  static std::uintptr_t at(std::uintptr_t place) { return *reinterpret_cast<std::uintptr_t const volatile*>(place); }
};

struct KnownWalks {
  ThreadStack stack;
  std::array<Walk, 64> walks{};
};
thread_local constinit OfThread<KnownWalks> known_walks;

bool is_same(Walk const& walk, ThreadStack const& stack, std::uintptr_t innermost_place) {
  if (walk.first == walk.count || walk.places[walk.first] != innermost_place) return false;
  std::size_t const end = walk.addresses[walk.count - 1] == 0 ? walk.count - 1 : walk.count;  // which stands nowhere
  for (std::size_t i = walk.first; i != end; ++i)
    if (!stack.has(walk.places[i]) || ThreadStack::at(walk.places[i]) != walk.addresses[i]) return false;
  return true;
}

#endif

}  // namespace

[[gnu::noinline]] std::vector<Site> calls_to_here() {
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
  auto* const frame = static_cast<std::uintptr_t const*>(__builtin_frame_address(0));
  KnownWalks& known = *known_walks;
  auto const place = reinterpret_cast<std::uintptr_t>(frame + 1);
  // By who has called the function that asks: of a launch the kernel's own instance of parallel_for, mostly.
  auto const callers_caller = frame[0] + sizeof(std::uintptr_t);
  std::uintptr_t const key = known.stack.has(callers_caller) ? ThreadStack::at(callers_caller) ^ place : place;
  Walk& walk = known.walks[(key * 0x9e3779b97f4a7c15u) >> 58];
  if (!is_same(walk, known.stack, place)) {
    walk.count = 0;
    unwind(walk);
    walk.first = static_cast<std::size_t>(std::find(walk.places, walk.places + walk.count, place) - walk.places);
  }
#else
  Walk walk;
  unwind(walk);
#endif
  return {walk.frames, walk.frames + walk.count};
}

}  // namespace teamsan
