// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A timer's handler interrupts lanes, and counts in host memory, as profilers and watchdogs do: that is not the kernel's.
// EXPECT-NONE
#include <csignal>
#include <sys/time.h>

#include <Kokkos_Core.hpp>

namespace {

int ticks = 0;
int latest[16];

void on_tick(int) {
  latest[ticks % 16] = ticks;
  ++ticks;
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  std::signal(SIGALRM, on_tick);
  itimerval const timer{{0, 1000}, {0, 1000}};
  ::setitimer(ITIMER_REAL, &timer, nullptr);
  Kokkos::View<int*> x("x", 4096);
  for (int i = 0; i != 400; ++i)
    Kokkos::parallel_for(
        "adds", 4096, KOKKOS_LAMBDA(int k) { x(k) += 1; });
  Kokkos::fence();
  itimerval const none{};
  ::setitimer(ITIMER_REAL, &none, nullptr);
}
