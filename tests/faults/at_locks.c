/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Preloaded: the thread that says crash_from_here() crashes where it next allocates, frees or takes a lock while it has its Nth
   lock since (CRASH_AT_LOCK=N; or the first one behind that, if it does no such thing then), which nobody gives back; or in the
   middle of its Nth call of malloc or its like (CRASH_IN_MALLOC=N), which then has the heap's lock for
   ever. A run that comes to less of them says so at its end. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);

static int (*real_lock)(pthread_mutex_t*);
static int (*real_trylock)(pthread_mutex_t*);
static int (*real_timedlock)(pthread_mutex_t*, struct timespec const*);
static int (*real_clocklock)(pthread_mutex_t*, clockid_t, struct timespec const*);
static int (*real_unlock)(pthread_mutex_t*);

static pthread_mutex_t heap = PTHREAD_MUTEX_INITIALIZER;
static __thread int armed;
static int locks_left = -1, mallocs_left = -1;

__attribute__((constructor)) static void begin(void) {
  *(void**)&real_lock = dlsym(RTLD_NEXT, "pthread_mutex_lock");
  *(void**)&real_trylock = dlsym(RTLD_NEXT, "pthread_mutex_trylock");
  *(void**)&real_timedlock = dlsym(RTLD_NEXT, "pthread_mutex_timedlock");
  *(void**)&real_clocklock = dlsym(RTLD_NEXT, "pthread_mutex_clocklock");
  *(void**)&real_unlock = dlsym(RTLD_NEXT, "pthread_mutex_unlock");
  char const* const locks = getenv("CRASH_AT_LOCK");
  char const* const mallocs = getenv("CRASH_IN_MALLOC");
  if (locks != NULL) locks_left = atoi(locks);
  if (mallocs != NULL) mallocs_left = atoi(mallocs);
}

__attribute__((destructor)) static void end(void) {
  static char const text[] = "at_locks: not so many\n";
  if (locks_left >= 0 || mallocs_left > 0) (void)!write(2, text, sizeof text - 1);
}

void crash_from_here(void) { armed = 1; }

static __thread pthread_mutex_t* held; /* the one in question */

static void crash(void) {
  armed = 0;
  raise(SIGABRT);
}

static int taken(pthread_mutex_t* m, int status) {
  if (!armed || status != 0 || locks_left < 0) return status;
  if (held != NULL) crash();
  if (locks_left > 0) --locks_left;
  if (locks_left == 0) held = m;
  return status;
}

int pthread_mutex_lock(pthread_mutex_t* m) { return real_lock != NULL ? taken(m, real_lock(m)) : 0; }
int pthread_mutex_trylock(pthread_mutex_t* m) { return real_trylock != NULL ? taken(m, real_trylock(m)) : 0; }
int pthread_mutex_unlock(pthread_mutex_t* m) {
  if (held == m) held = NULL;
  return real_unlock != NULL ? real_unlock(m) : 0;
}
int pthread_mutex_timedlock(pthread_mutex_t* m, struct timespec const* until) { return taken(m, real_timedlock(m, until)); }
int pthread_mutex_clocklock(pthread_mutex_t* m, clockid_t clock, struct timespec const* until) {
  return taken(m, real_clocklock(m, clock, until));
}

static void enter(void) {
  if (real_lock == NULL) return;
  real_lock(&heap);
  if (armed && held != NULL) crash();
  if (armed && mallocs_left > 0 && --mallocs_left == 0) crash();
}
static void leave(void) {
  if (real_unlock != NULL) real_unlock(&heap);
}

void* malloc(size_t bytes) {
  enter();
  void* const block = __libc_malloc(bytes);
  leave();
  return block;
}
void* calloc(size_t count, size_t bytes) {
  enter();
  void* const block = __libc_calloc(count, bytes);
  leave();
  return block;
}
void* realloc(void* old, size_t bytes) {
  enter();
  void* const block = __libc_realloc(old, bytes);
  leave();
  return block;
}
void* memalign(size_t alignment, size_t bytes) {
  enter();
  void* const block = __libc_memalign(alignment, bytes);
  leave();
  return block;
}
void free(void* block) {
  enter();
  __libc_free(block);
  leave();
}
