// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// How the compiler treats the backend's own code inside a user's instrumented translation unit: it leaves it out, so
/// that only what the user wrote is seen. Nothing here depends on Kokkos or on the simulator.
#pragma once

/// Not instrumented. GCC and Clang do not inline such a function into an instrumented one. Clang would still insert
/// its function entry and exit calls, which the second attribute ends.
#if defined(__clang__) && __has_attribute(disable_sanitizer_instrumentation)
#define TEAMSAN_NO_INSTRUMENT __attribute__((no_sanitize("thread"), disable_sanitizer_instrumentation))
#else
#define TEAMSAN_NO_INSTRUMENT __attribute__((no_sanitize("thread")))
#endif

/// Not instrumented, and called by what is: a compiler that looks into both might move what this reads into its caller.
/// It touches nothing of the user's, which TeamSan's plug-in for the compiler is told (sim/entry/pass).
#define TEAMSAN_OF_LANES
#if defined(__OPTIMIZE__) && defined(__has_attribute)
#if defined(TEAMSAN_PLUGIN_FOR_CLANG)
#undef TEAMSAN_OF_LANES
#define TEAMSAN_OF_LANES __attribute__((annotate("teamsan_of_lanes")))
#elif __has_attribute(teamsan_of_lanes)
#undef TEAMSAN_OF_LANES
#define TEAMSAN_OF_LANES __attribute__((teamsan_of_lanes))
#endif
#endif
#if defined(__clang__)
#define TEAMSAN_ASKED_BY_LANES TEAMSAN_NO_INSTRUMENT TEAMSAN_OF_LANES __attribute__((noinline))
#else
#define TEAMSAN_ASKED_BY_LANES TEAMSAN_NO_INSTRUMENT TEAMSAN_OF_LANES __attribute__((noipa))
#endif

/// Not instrumented and never inlined: `__builtin_return_address(0)` in it is the place in the user's code.
#define TEAMSAN_ENTRY TEAMSAN_NO_INSTRUMENT __attribute__((noinline))
