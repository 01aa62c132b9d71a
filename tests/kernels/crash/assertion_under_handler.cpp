// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An assertion fails in a lane while the program has handlers of its own for such signals, on a small stack of its own, as
// test frameworks do. What the handler does is not the kernel's.
#undef NDEBUG
#include <cassert>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include <Kokkos_Core.hpp>

namespace {

int came[2];
char small_stack[16 * 1024];

void on_signal(int signal) {
  came[0] = came[1] + signal;
  std::puts("a test has failed");
  std::_Exit(3);
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  stack_t const stack{small_stack, 0, sizeof(small_stack)};
  ::sigaltstack(&stack, nullptr);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  for (int const signal : {SIGABRT, SIGSEGV, SIGFPE}) ::sigaction(signal, &action, nullptr);
  Kokkos::View<int*> x("x", 64);
  Kokkos::parallel_for(
      "fill", 64, KOKKOS_LAMBDA(int i) { x(i) = i == 40 ? -1 : i; });
  Kokkos::parallel_for(
      "check", 64, KOKKOS_LAMBDA(int i) {
        assert(x(i) >= 0);  // EXPECT: crash
      });
  Kokkos::fence();
}
