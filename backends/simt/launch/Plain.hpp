// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Bodies for what is not checked (sim/base/Lane.hpp: PlainBodies), where the compiler has TeamSan's plug-in (sim/entry/pass):
/// of all that a function with one of its attributes calls, it makes a second body, not instrumented and optimised as the
/// user's options have it.
#pragma once

#include "UserCode.hpp"

#include "../../../sim/base/Lane.hpp"

#if defined(__OPTIMIZE__) && defined(__has_attribute)
/// The second one runs lanes in a loop, and is good only for kernels in which no lane can wait for another: it asks by
/// runs_together(). Called with a begin behind its end, it answers may_hand_over().
#if defined(TEAMSAN_PLUGIN_FOR_CLANG)
#define TEAMSAN_PLAIN_LANE __attribute__((annotate("teamsan_plain"), noinline))
#define TEAMSAN_PLAIN_BLOCKS __attribute__((annotate("teamsan_plain_blocks"), noinline))
#elif __has_attribute(teamsan_plain)
#define TEAMSAN_PLAIN_LANE __attribute__((teamsan_plain, noinline))
#define TEAMSAN_PLAIN_BLOCKS __attribute__((teamsan_plain_blocks, noinline))
#endif
#endif
#ifndef TEAMSAN_PLAIN_LANE
#define TEAMSAN_PLAIN_LANE
#define TEAMSAN_PLAIN_BLOCKS
#define TEAMSAN_HAS_PLAIN false
#else
#define TEAMSAN_HAS_PLAIN true
#endif

/// The plug-in puts its answers here; functions, in the runtime, that say no.
extern "C" bool __teamsan_runs_together() noexcept __attribute__((const));
extern "C" bool __teamsan_may_hand_over() noexcept __attribute__((const));

namespace teamsan::simt {

inline constexpr bool has_plain_bodies = TEAMSAN_HAS_PLAIN;

/// The second body of a lane's function and of all that it calls.
template <LaneFunction lane>
TEAMSAN_PLAIN_LANE void run_plain(void const* kernel, Lane const& l) {
  lane(kernel, l);
}
template <LaneFunction lane>
constexpr LaneFunction plain_lane() {
  if constexpr (has_plain_bodies)
    return &run_plain<lane>;
  else
    return nullptr;
}

/// The functor of a kernel for lanes that run in one loop: a copy of its bytes, which nothing else can reach, stays in
/// registers.
template <class Body, bool copies = copies_functor<Body>>
class PlainFunctor {
 public:
  [[gnu::always_inline]] explicit PlainFunctor(Body const& functor) : m_functor(functor) {}
  [[gnu::always_inline]] Body const& body() const { return m_functor; }

 private:
  Body const& m_functor;
};
template <class Body>
class PlainFunctor<Body, true> {
 public:
  [[gnu::always_inline]] explicit PlainFunctor(Body const& functor) {
    (__builtin_memcpy)(m_bytes, static_cast<void const*>(&functor), sizeof m_bytes);
  }
  PlainFunctor(PlainFunctor const&) = delete;
  PlainFunctor& operator=(PlainFunctor const&) = delete;
  [[gnu::always_inline]] Body const& body() const { return *reinterpret_cast<Body const*>(m_bytes); }

 private:
  alignas(Body) unsigned char m_bytes[sizeof(Body)];
};

/// `body(arguments...)`, or with a WorkTag `body(WorkTag{}, arguments...)`.
template <class WorkTag, class Body, class... Arguments>
[[gnu::always_inline]] inline void call_plain(Body const& body, Arguments&&... arguments) {
  if constexpr (std::is_void_v<WorkTag>)
    body(static_cast<Arguments&&>(arguments)...);
  else
    body(WorkTag{}, static_cast<Arguments&&>(arguments)...);
}

}  // namespace teamsan::simt
