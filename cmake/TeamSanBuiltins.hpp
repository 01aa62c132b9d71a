// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Included by GCC before all of a checked source. GCC expands __builtin_memset and its like in line when it knows how many
// bytes there are, behind the pass that instruments accesses, and nobody would see them; -fno-builtin-memset does not reach
// a name that begins so, and std::fill, std::copy and std::equal are made of these names. Here the number of bytes is one
// that GCC cannot know: a call is left, and goes to runtime/MemoryFunctions.cpp. Constant evaluation has the builtins
// themselves. (Clang instruments them as such.)
//
// Macros alone: a precompiled header may follow directives, not declarations.
#pragma GCC system_header
#if defined(__cplusplus) && defined(__GNUC__) && !defined(__clang__)

#define TEAMSAN_LEAVE_CALL(result, name, first, second, ...)                                                     \
  (__builtin_is_constant_evaluated()                                                                             \
       ? __builtin_##name(__VA_ARGS__)                                                                           \
       : [](first teamsan_a, second teamsan_b, __SIZE_TYPE__ teamsan_bytes) noexcept                             \
             __attribute__((__always_inline__)) -> result {                                                      \
           __asm__("" : "+r"(teamsan_bytes));                                                                    \
           return __builtin_##name(teamsan_a, teamsan_b, teamsan_bytes);                                         \
         }(__VA_ARGS__))

#define __builtin_memcpy(...) TEAMSAN_LEAVE_CALL(void*, memcpy, void*, void const*, __VA_ARGS__)
#define __builtin_memmove(...) TEAMSAN_LEAVE_CALL(void*, memmove, void*, void const*, __VA_ARGS__)
#define __builtin_mempcpy(...) TEAMSAN_LEAVE_CALL(void*, mempcpy, void*, void const*, __VA_ARGS__)
#define __builtin_memset(...) TEAMSAN_LEAVE_CALL(void*, memset, void*, int, __VA_ARGS__)
#define __builtin_memcmp(...) TEAMSAN_LEAVE_CALL(int, memcmp, void const*, void const*, __VA_ARGS__)

#endif
