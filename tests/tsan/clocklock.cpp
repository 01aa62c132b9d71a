// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// GCC 12's ThreadSanitizer does not know pthread_mutex_clocklock, by which std::timed_mutex waits: it is made of what it
/// knows.
#include <cerrno>
#include <ctime>
#include <pthread.h>
#include <unistd.h>

extern "C" int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock, timespec const* until) noexcept {
  for (;;) {
    if (pthread_mutex_trylock(mutex) == 0) return 0;
    timespec now{};
    clock_gettime(clock, &now);
    if (now.tv_sec > until->tv_sec || (now.tv_sec == until->tv_sec && now.tv_nsec >= until->tv_nsec)) return ETIMEDOUT;
    usleep(100);
  }
}
