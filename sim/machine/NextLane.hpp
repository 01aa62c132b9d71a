// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// next_lane() in line, for lanes of which nothing has to be asked or told at their end: most lanes of a range. The machine has
/// said how many of these follow (RunningTeam::let_lanes_begin_in_line); what is done here is what its next_alike does. It is
/// in assembler, since it stands in functions that the compiler instruments.
#pragma once

#include "../entry/pass/Abi.h"
#include "Lane.hpp"

#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__ILP32__)
#define TEAMSAN_NEXT_LANE(slowly) \
  asm goto("movq " TEAMSAN_ABI_TEXT(TEAMSAN_ABI_STATE) "@gottpoff(%%rip), %%rax\n\t"                                         \
           "movl %%fs:%c[lanes_ahead](%%rax), %%ecx\n\t"                                                                     \
           "subl $1, %%ecx\n\t"                                                                                              \
           "jb %l[" #slowly "]\n\t"                                                                                          \
           "movq %%fs:%c[calls](%%rax), %%rdx\n\t"                                                                           \
           "cmpq %%fs:%c[call_top](%%rax), %%rdx\n\t"                                                                        \
           "jb %l[" #slowly "]\n\t"                                                                                          \
           "movl %%ecx, %%fs:%c[lanes_ahead](%%rax)\n\t"                                                                     \
           "movl %%fs:%c[first_slice](%%rax), %%ecx\n\t"                                                                     \
           "movq %%fs:%c[lane](%%rax), %%rdx\n\t"                                                                            \
           "movl %%ecx, %%fs:%c[slice](%%rax)\n\t"                                                                           \
           "addl $1, %%fs:%c[me](%%rax)\n\t"                                                                                 \
           "addl $1, %%fs:%c[flat_lane](%%rax)\n\t"                                                                          \
           "addq %[next], %%fs:%c[flat_word](%%rax)\n\t"                                                                     \
           "addl $1, %c[thread](%%rdx)\n\t"                                                                                  \
           "addl $1, %c[index](%%rdx)\n\t"                                                                                   \
           "pxor %%xmm0, %%xmm0\n\t"                                                                                         \
           "movups %%xmm0, (%%rdx)\n\t"                                                                                      \
           "movups %%xmm0, 16(%%rdx)\n\t"                                                                                    \
           "movups %%xmm0, 32(%%rdx)"                                                                                        \
           :                                                                                                                 \
           : [lanes_ahead] "i"(teamsan_hot_lanes_ahead), [calls] "i"(teamsan_hot_lanes_calls),                               \
             [call_top] "i"(teamsan_hot_call_top), [first_slice] "i"(teamsan_hot_first_slice), [lane] "i"(teamsan_hot_lane),  \
             [slice] "i"(teamsan_hot_slice), [me] "i"(teamsan_hot_me), [flat_lane] "i"(teamsan_hot_flat_lane),               \
             [flat_word] "i"(teamsan_hot_flat_word), [next] "i"(TEAMSAN_FLAT_NEXT_LANE), [thread] "i"(teamsan_lane_thread),  \
             [index] "i"(teamsan_lane_index)                                                                                 \
           : "rax", "rcx", "rdx", "xmm0", "cc", "memory"                                                                     \
           : slowly)
static_assert(teamsan_lane_marks_bytes == 48);
#else
#define TEAMSAN_NEXT_LANE(slowly) goto slowly
#endif
// In a template. Clang 14 crashes where a precompiled header has it there, and 21 does not; what lies between was not tried.
#if defined(__clang__) && __clang_major__ < 21
#define TEAMSAN_NEXT_LANE_IN_LINE(slowly) goto slowly
#else
#define TEAMSAN_NEXT_LANE_IN_LINE(slowly) TEAMSAN_NEXT_LANE(slowly)
#endif

namespace teamsan {

/// next_lane(), called by an instrumented function.
[[gnu::always_inline]] inline bool next_lane_in_line() noexcept {
  TEAMSAN_NEXT_LANE(slowly);
  return true;
slowly:
  return next_lane();
}

}  // namespace teamsan
