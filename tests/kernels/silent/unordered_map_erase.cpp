// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes erase keys from a map, some of them twice: the map itself orders what it shares.
#include <Kokkos_Core.hpp>

#include <Kokkos_UnorderedMap.hpp>

#include <cstdlib>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4000, keys = 1000;
  Kokkos::UnorderedMap<int, int> map(2 * keys);
  Kokkos::parallel_for(
      "insert", n, KOKKOS_LAMBDA(int i) { map.insert(i % keys, 5 * (i % keys)); });
  map.begin_erase();
  Kokkos::parallel_for(
      "erase", n, KOKKOS_LAMBDA(int i) { map.erase(i % (keys / 2)); });
  map.end_erase();
  int missing = 0;
  Kokkos::parallel_reduce(
      "find", keys,
      KOKKOS_LAMBDA(int i, int& sum) {
        auto const at = map.find(i);
        sum += map.valid_at(at) == (i >= keys / 2) ? 0 : 1;
      },
      missing);
  if (missing != 0 || map.size() != keys / 2) std::abort();
}
// EXPECT-NONE
