// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: num_threads=1
// EXPECT-NONE
// Iterations of later blocks than the first: one raises a flag behind its value and a fence, and the one that waits for the
// flag fences, too.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int> value("value"), flag("flag"), seen("seen");
  Kokkos::parallel_for(
      "signal", n, KOKKOS_LAMBDA(int i) {
        if (i == 1000) {
          value() = 7;
          Kokkos::memory_fence();
          Kokkos::atomic_store(&flag(), 1);
        } else if (i == 3000) {
          while (Kokkos::atomic_load(&flag()) == 0) {
          }
          Kokkos::memory_fence();
          seen() = value();
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  return host() != 7;
}
