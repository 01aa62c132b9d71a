// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's own: signal handlers, a timer that runs across a launch, what runs at the end. A kernel races; all of it is
// to go on as if nobody else were there.
#include <Kokkos_Core.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <sys/time.h>
#include <unistd.h>

extern volatile int* page;
extern int mended;

namespace {

volatile std::sig_atomic_t alarms = 0, users = 0;

struct Static {
  ~Static() { std::puts("destructor of a static object"); }
} one;

[[gnu::destructor]] void at_the_very_end() { std::puts("destructor function"); }

void expect(bool true_, char const* what) {
  if (true_) return;
  std::printf("not so: %s\n", what);
  std::fflush(stdout);
  ::_exit(9);
}

void launch() {
  Kokkos::View<int*> x("x", 64);
  Kokkos::parallel_for("adds", 64, KOKKOS_LAMBDA(int i) { x(i / 8) += 1; });
  Kokkos::fence();
}

}  // namespace

int main(int argc, char** argv) {
  expect(*page == 0 && mended == 1, "a library's handler of SIGSEGV, installed before the program's start, was called");
  std::signal(SIGALRM, [](int) { alarms = alarms + 1; });
  std::signal(SIGUSR1, [](int) { users = users + 1; });
  std::atexit([] { std::puts("atexit"); });
  sigset_t blocked, now;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGWINCH);
  sigprocmask(SIG_BLOCK, &blocked, nullptr);
  Kokkos::ScopeGuard kokkos(argc, argv);
  ::alarm(1000);
  launch();
  expect(::alarm(0) > 900, "an alarm is left as it was");
  itimerval const soon{{0, 0}, {0, 1000}};
  ::setitimer(ITIMER_REAL, &soon, nullptr);
  for (int i = 0; i != 100 && alarms == 0; ++i) {
    launch();
    timespec const while_{0, 1'000'000};
    ::nanosleep(&while_, nullptr);
  }
  expect(alarms == 1, "a timer that runs across launches reaches the program's handler");
  ::raise(SIGUSR1);
  expect(users == 1, "SIGUSR1 reaches the program's handler");
  sigprocmask(SIG_BLOCK, nullptr, &now);
  expect(sigismember(&now, SIGWINCH) == 1 && sigismember(&now, SIGALRM) == 0, "the mask is as it was");
  std::puts("main");
}
