// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that lock a mutex of the host's: it orders nothing on a GPU, and here nothing needs an order. Lanes of one worker
// sleep at it while they hold what the one that has it waits for.
#include <Kokkos_Core.hpp>

#include <mutex>

static std::mutex mutex;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int n = 1 << 16;
  Kokkos::View<int*> in("in", n * 64), out("out", n), counts("counts", n * 64);
  Kokkos::parallel_for(
      "locked", n, KOKKOS_LAMBDA(int i) {
        unsigned const mixed = i * 40503u % n;  // each of them once
        out(i) = in(mixed * 64);
        std::lock_guard const lock(mutex);
        counts((mixed ^ 0x5a5a) * 64) += 1;
      });
  Kokkos::fence();
}
// EXPECT-NONE
