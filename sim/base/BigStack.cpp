// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// Decides from the stack pointer and the bounds of the thread's own stack whether the caller stands on a
/// foreign one.
#include "BigStack.hpp"

#include "ReportMemory.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace teamsan {
namespace {

constexpr std::size_t helper_stack_bytes = std::size_t{8} << 20;
constexpr std::size_t enough_bytes = std::size_t{512} << 10;

/// True when at least `enough_bytes` of the thread's own stack lie below the caller.
bool stands_on_own_stack() noexcept {
  thread_local std::uintptr_t low = 0, high = 0;
  if (high == 0) {
    pthread_attr_t attributes;
    if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
    void* address = nullptr;
    std::size_t bytes = 0;
    pthread_attr_getstack(&attributes, &address, &bytes);
    pthread_attr_destroy(&attributes);
    low = reinterpret_cast<std::uintptr_t>(address);
    high = low + bytes;
  }
  auto const here = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
  return here < high && here >= low && here - low >= enough_bytes;
}

struct Work {
  void (*function)(void*);
  void* argument;
  bool reports_crash = uses_report_memory();
};

void* run_work(void* pointer) {
  auto const* work = static_cast<Work const*>(pointer);
  if (work->reports_crash) use_report_memory();
  work->function(work->argument);
  return nullptr;
}

bool run_apart(Work& work) noexcept {
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0) return false;
  pthread_attr_setstacksize(&attributes, helper_stack_bytes);
  // The program's handlers must not run on our thread; a fault of our own must still be delivered.
  sigset_t blocked, before;
  sigfillset(&blocked);
  for (int const fatal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM})
    sigdelset(&blocked, fatal);
  pthread_sigmask(SIG_SETMASK, &blocked, &before);
  pthread_t thread;
  bool const made = pthread_create(&thread, &attributes, run_work, &work) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (made) pthread_join(thread, nullptr);
  return made;
}

thread_local constinit Work const* t_work = nullptr;

/// Where no thread is to be had (RLIMIT_NPROC, a container's limit), the caller's own one goes to a stack that is large enough.
bool run_on_other_stack(Work& work) noexcept {
  void* const stack =
      ::mmap(nullptr, helper_stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == MAP_FAILED) return false;
  ucontext_t here, there;
  bool const possible = ::getcontext(&there) == 0;
  if (possible) {
    there.uc_stack.ss_sp = stack;
    there.uc_stack.ss_size = helper_stack_bytes;
    there.uc_link = &here;
    constexpr auto run = [] { t_work->function(t_work->argument); };
    ::makecontext(&there, +run, 0);
    Work const* const outer = std::exchange(t_work, &work);
    ::swapcontext(&here, &there);
    t_work = outer;
  }
  ::munmap(stack, helper_stack_bytes);
  return possible;
}

}  // namespace

void run_on_big_stack(void (*function)(void*), void* argument, bool always_apart) noexcept {
  Work work{function, argument};
  if (!always_apart && stands_on_own_stack()) return function(argument);
  if (!run_apart(work) && !run_on_other_stack(work)) function(argument);
}

}  // namespace teamsan
