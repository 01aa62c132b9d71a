// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: num_threads=1
// Iterations of later blocks than the first: one raises a flag behind its value, and the one that waits for the flag fences.
// The one that raises it does not.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int> value("value"), flag("flag"), seen("seen");
  Kokkos::parallel_for(
      "signal", n, KOKKOS_LAMBDA(int i) {
        if (i == 1000) {
          value() = 7;  // EXPECT: unfenced-handover
          Kokkos::atomic_store(&flag(), 1);
        } else if (i == 3000) {
          while (Kokkos::atomic_load(&flag()) == 0) {
          }
          Kokkos::memory_fence();
          seen() = value();  // EXPECT: unfenced-handover
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  return host() != 7;
}
