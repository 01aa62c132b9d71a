// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Kokkos keeps for itself is no leak: unique tokens, reductions into Views, sorting, random pools, an instance's memory.
// OPTIONS: leak_check=full
// EXPECT-NONE
#include <Kokkos_Core.hpp>
#include <Kokkos_Random.hpp>
#include <Kokkos_Sort.hpp>

#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  using Space = Kokkos::DefaultExecutionSpace;
  Kokkos::Experimental::UniqueToken<Space, Kokkos::Experimental::UniqueTokenScope::Global> const token;
  Kokkos::Random_XorShift64_Pool<Space> pool(7);
  Kokkos::View<int*> const keys("keys", 200);
  Kokkos::View<int> const sum("sum");
  Kokkos::fill_random(keys, pool, 1000);
  Kokkos::sort(keys);
  Kokkos::parallel_reduce(
      "sum", 200, KOKKOS_LAMBDA(int i, int& s) { s += keys(i) >= 0; }, sum);
  Kokkos::parallel_for(
      "tokens", Kokkos::RangePolicy<Space>(0, 64), KOKKOS_LAMBDA(int) {
        auto const id = token.acquire();
        token.release(id);
      });
  int counted = 0;
  Kokkos::deep_copy(counted, sum);
  std::printf("%d keys\n", counted);
}
