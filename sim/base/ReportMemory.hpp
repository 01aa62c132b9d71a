// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Where a thread that reports a crash takes its memory from: a region of its own, not the program's heap. The thread that
/// crashed may have done so in malloc, holding its locks, or because the heap is damaged; what the program had allocated is
/// read and never freed. The program's malloc and free pass through here, and go on to whoever defines them: the C library,
/// or an allocator that the program is linked with or preloads. One that is linked statically replaces these functions; a
/// crash inside it may then end without a report (after a minute, with a sentence).
#pragma once

#include <pthread.h>

#include <cstddef>

namespace teamsan {

/// From here on, until the process ends, the calling thread allocates in the report's memory and frees nothing. Callable
/// in a signal handler, after arena::reserve().
void use_report_memory() noexcept;

/// The same for a thread that has crashed: what it holds from before it will not give back.
void use_report_memory_after_crash() noexcept;

/// Whether that thread has.
bool has_crashed(pthread_t thread) noexcept;

/// Whether the calling thread does.
bool uses_report_memory() noexcept;

/// Called with each pointer that the program frees, before it is freed; nullptr: nobody asks.
void watch_frees(void (*watch)(void*) noexcept) noexcept;

/// Called with each block that the calling thread allocates, and its bytes; nullptr: nobody asks. Gives the one before.
using TakeWatch = void (*)(void* block, std::size_t bytes) noexcept;
TakeWatch watch_takes(TakeWatch watch) noexcept;

/// As watch_frees(), of all threads, for as long as the process runs.
void watch_lanes_frees(void (*watch)(void*) noexcept) noexcept;

/// Bytes of a block that malloc or one of its like gave.
std::size_t size_of_block(void* block) noexcept;

}  // namespace teamsan
