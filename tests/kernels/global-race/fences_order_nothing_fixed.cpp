// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Far behind the first block one iteration hands its element to another: by a fence and an atomic, which the other one sees.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 6000;
  Kokkos::View<double*> out("out", n), seen("seen", n);
  Kokkos::View<int> ready("ready");
  Kokkos::parallel_for(
      "hand over", n, KOKKOS_LAMBDA(int i) {
        out(i) = i;  // EXPECT-NONE
        if (i == 2000) {
          Kokkos::memory_fence();
          Kokkos::atomic_store(&ready(), 1);
        } else if (i == 5000) {
          while (Kokkos::atomic_load(&ready()) == 0) continue;
          Kokkos::memory_fence();
          seen(i) = out(2000);
        }
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  return host(5000) != 2000;
}
