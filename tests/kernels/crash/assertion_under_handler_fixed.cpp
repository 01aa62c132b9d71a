// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The assertion holds. The program's handlers are called outside kernels as without TeamSan: whether they come back, jump out
// or are asked for.
// EXPECT-NONE
#undef NDEBUG
#include <cassert>
#include <csetjmp>
#include <csignal>
#include <cstdlib>

#include <Kokkos_Core.hpp>

namespace {

int came = 0;
char small_stack[16 * 1024];
sigjmp_buf behind;

void on_signal(int) { ++came; }
void on_fault(int, siginfo_t* info, void*) {
  if (info->si_addr == nullptr) siglongjmp(behind, 1);
}

[[gnu::noinline]] void expect(bool holds) {
  if (!holds) std::exit(1);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  stack_t const stack{small_stack, 0, sizeof(small_stack)};
  stack_t now{};
  expect(::sigaltstack(&stack, nullptr) == 0);
  expect(::sigaltstack(nullptr, &now) == 0 && now.ss_sp == small_stack && now.ss_size == sizeof(small_stack));
  struct sigaction action {}, old{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  expect(::sigaction(SIGABRT, &action, &old) == 0 && old.sa_handler == SIG_DFL);
  expect(::sigaction(SIGUSR1, &action, nullptr) == 0);
  for (int const signal : {SIGABRT, SIGUSR1})
    expect(::sigaction(signal, nullptr, &old) == 0 && old.sa_handler == on_signal && old.sa_flags == SA_ONSTACK);
  expect(std::signal(SIGFPE, on_signal) == SIG_DFL && std::signal(SIGFPE, SIG_DFL) == on_signal);
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  expect(::sigaction(SIGSEGV, &action, nullptr) == 0);
  Kokkos::View<int*> x("x", 64);
  Kokkos::parallel_for(
      "fill", 64, KOKKOS_LAMBDA(int i) { x(i) = i; });
  Kokkos::parallel_for(
      "check", 64, KOKKOS_LAMBDA(int i) { assert(x(i) >= 0); });
  Kokkos::fence();
  ::raise(SIGABRT);
  ::raise(SIGUSR1);
  expect(came == 2);
  int* volatile nothing = nullptr;
  if (sigsetjmp(behind, 1) == 0) {
    *nothing = 1;
    expect(false);
  }
}
