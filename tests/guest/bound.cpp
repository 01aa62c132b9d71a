// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// On how many CPUs at most a thread that runs lanes may run, where OpenMP binds the program's own.
#include <Kokkos_Core.hpp>

#include <sched.h>

#include <cstdio>

namespace {

int cpus() {
  cpu_set_t set;
  return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 0;
}

}  // namespace

int main() {
  Kokkos::ScopeGuard const guard;
  int const own = cpus();
  Kokkos::View<int*> x("x", 1 << 20);
  Kokkos::View<int> most("most");
  for (int launch = 0; launch != 20; ++launch)
    Kokkos::parallel_for(
        "look", x.extent(0), KOKKOS_LAMBDA(int i) {
          x(i) = i;
          if (i % 256 == 0) Kokkos::atomic_max(&most(), cpus());
        });
  int of_lanes = 0;
  Kokkos::deep_copy(of_lanes, most);
  std::printf("the program's thread: %d, lanes: %d\n", own, of_lanes);
}
