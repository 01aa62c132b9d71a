/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Preloaded: clocks that jump. The one of the day goes an hour back and forth, as after a correction; the one that never goes
   back goes an hour on now and then, as after a machine has slept. */
#define _GNU_SOURCE
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec* time) {
  static int calls;
  int const status = (int)syscall(SYS_clock_gettime, clock, time);
  int const call = __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  if (clock == CLOCK_REALTIME && call % 2 != 0) time->tv_sec -= 3600;
  if (clock == CLOCK_MONOTONIC) time->tv_sec += call / 50 * 3600L;
  return status;
}
