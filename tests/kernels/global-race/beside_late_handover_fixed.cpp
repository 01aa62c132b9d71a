// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: num_threads=1
// EXPECT-NONE
// An iteration of a later block than the first hands its result and its remainder over, with fences and a flag.
#include <Kokkos_Core.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int const n = 4096;
  Kokkos::View<int> result("result"), remainder("remainder"), ready("ready"), seen("seen");
  Kokkos::parallel_for(
      "divide", n, KOKKOS_LAMBDA(int i) {
        if (i == 1000) {
          result() = i / 7;
          remainder() = i % 7;
          Kokkos::memory_fence();
          Kokkos::atomic_store(&ready(), 1);
        } else if (i == 3000) {
          while (Kokkos::atomic_load(&ready()) == 0) {
          }
          Kokkos::memory_fence();
          seen() = result();
          seen() += remainder();
        }
      });
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), seen);
  return host() != 148;
}
