// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations take a state by a number that is not theirs alone, and draw the same numbers or lose each other's.
#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 1024, states = 256;
  Kokkos::Random_XorShift64_Pool<> pool(7, states);
  Kokkos::View<double*> x("x", n);
  Kokkos::parallel_for(
      "draw", n, KOKKOS_LAMBDA(int i) {
        auto generator = pool.get_state(i % states);
        x(i) = generator.drand(1.0, 2.0);
        pool.free_state(generator);  // EXPECT: global-race
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  return host(0) < 1.0;
}
