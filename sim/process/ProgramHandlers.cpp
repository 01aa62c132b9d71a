// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ProgramHandlers.hpp"

#include "../memory/Hot.hpp"

#include <cstddef>
#include <dlfcn.h>

namespace teamsan {

namespace {

/// What the program has asked for. Of signals that TeamSan's own handler or the one below stands before.
struct sigaction programs[NSIG];
bool stays_behind[NSIG];  ///< TeamSan's own
bool has_asked[NSIG];     ///< of those

bool is_function(struct sigaction const& action) { return action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN; }

void call(struct sigaction const& handler, int signal, siginfo_t* info, void* context) {
  if (handler.sa_flags & SA_SIGINFO)
    handler.sa_sigaction(signal, info, context);
  else
    handler.sa_handler(signal);
}

/// Stands before each function of the program's. On a host thread it may well not come back, but jump out.
void on_signal(int signal, siginfo_t* info, void* context) {
  struct sigaction const handler = programs[signal];
  if (hot.lane == nullptr) return call(handler, signal, info, context);
  UncheckedScope const not_the_lanes;  // which may be anywhere: in the middle of what TeamSan does for it, too
  call(handler, signal, info, context);
}

int change_action(int signal, struct sigaction const* action, struct sigaction* old) noexcept {
  if (signal < 1 || signal >= NSIG) return real_sigaction(signal, action, old);
  struct sigaction const before = programs[signal];
  if (stays_behind[signal]) {
    if (action != nullptr) {
      programs[signal] = *action;
      has_asked[signal] = true;
    }
    if (old != nullptr) *old = before;
    return 0;
  }
  struct sigaction ours{}, was{};
  if (action != nullptr) {
    ours = *action;
    if (is_function(*action)) {
      programs[signal] = *action;
      ours.sa_sigaction = on_signal;
      ours.sa_flags |= SA_SIGINFO;
    }
  }
  if (real_sigaction(signal, action != nullptr ? &ours : nullptr, &was) != 0) {
    programs[signal] = before;
    return -1;
  }
  if (old != nullptr) *old = (was.sa_flags & SA_SIGINFO) && was.sa_sigaction == on_signal ? before : was;
  return 0;
}

/// Of the calling thread, and what the program believes to be it.
thread_local constinit std::size_t own_stack_bytes = 0;
thread_local constinit stack_t programs_stack{nullptr, SS_DISABLE, 0};

/// The C library's own functions. Plain pointers, which each caller may set anew, as alike: the guard of a static one is a
/// call that ThreadSanitizer replaces, and its own start, which calls sigaltstack, comes before that works.
constinit decltype(&::sigaltstack) next_sigaltstack = nullptr;
constinit decltype(&::sigaction) next_sigaction = nullptr;

template <class Function>
Function next(Function& known, char const* name) noexcept {
  Function function = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (function == nullptr) {
    function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
    __atomic_store_n(&known, function, __ATOMIC_RELAXED);
  }
  return function;
}

int real_sigaltstack(stack_t const* stack, stack_t* old) noexcept {
  return next(next_sigaltstack, "sigaltstack")(stack, old);
}

}  // namespace

int real_sigaction(int signal, struct sigaction const* action, struct sigaction* old) noexcept {
  return next(next_sigaction, "sigaction")(signal, action, old);
}

void put_before_programs(int signal, struct sigaction const& action) noexcept {
  struct sigaction now{};
  real_sigaction(signal, nullptr, &now);
  if (now.sa_sigaction != on_signal) programs[signal] = now;
  stays_behind[signal] = true;
  real_sigaction(signal, &action, nullptr);
}

bool call_programs_handler(int signal, siginfo_t* info, void* context) {
  struct sigaction const handler = programs[signal];
  if (!is_function(handler)) return false;
  if (handler.sa_flags & SA_RESETHAND) programs[signal].sa_handler = SIG_DFL;
  call(handler, signal, info, context);
  return true;
}

bool asks_to_die_of(int signal) noexcept { return has_asked[signal] && programs[signal].sa_handler == SIG_DFL; }

void die_of(int signal) noexcept {
  struct sigaction action{};
  action.sa_handler = SIG_DFL;
  real_sigaction(signal, &action, nullptr);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, signal);
  pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  ::raise(signal);
}

void use_signal_stack(stack_t const& stack) noexcept {
  stack_t before{};
  if (real_sigaltstack(&stack, &before) != 0) return;
  own_stack_bytes = stack.ss_size;
  programs_stack = before;
}

}  // namespace teamsan

#pragma GCC visibility push(default)
extern "C" {

int sigaction(int signal, struct sigaction const* action, struct sigaction* old) noexcept {
  return teamsan::change_action(signal, action, old);
}

sighandler_t signal(int signal, sighandler_t handler) noexcept {
  struct sigaction action{}, old{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  return teamsan::change_action(signal, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

int sigaltstack(stack_t const* stack, stack_t* old) noexcept {
  using namespace teamsan;
  bool const smaller = stack != nullptr && ((stack->ss_flags & SS_DISABLE) || stack->ss_size < own_stack_bytes);
  if (own_stack_bytes == 0 || (stack != nullptr && !smaller)) {
    stack_t was{};
    if (real_sigaltstack(stack, &was) != 0) return -1;
    if (old != nullptr) *old = own_stack_bytes != 0 ? programs_stack : was;
    if (stack != nullptr) own_stack_bytes = 0;
    return 0;
  }
  if (old != nullptr) *old = programs_stack;
  if (stack != nullptr) programs_stack = *stack;
  return 0;
}
}
#pragma GCC visibility pop
