// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many threads have run lanes, and on how many CPUs at most one of them may run, where OpenMP binds the program's own.
#include <Kokkos_Core.hpp>

#include <sched.h>

#include <atomic>
#include <cstdio>

namespace {

std::atomic<int> most_cpus{0};

int cpus() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

}  // namespace

int main() {
  Kokkos::ScopeGuard const guard;
  int const own = cpus();
  Kokkos::View<int*> x("x", 1 << 20);
  for (int launch = 0; launch != 20; ++launch)
    Kokkos::parallel_for(
        "look", x.extent(0), KOKKOS_LAMBDA(int i) {
          x(i) = i;
          if (i % 256 != 0) return;
          int const now = cpus();
          for (int known = most_cpus.load(); known < now && !most_cpus.compare_exchange_weak(known, now);) {}
        });
  std::printf("the program's thread: %d, lanes: %d\n", own, most_cpus.load());
}
