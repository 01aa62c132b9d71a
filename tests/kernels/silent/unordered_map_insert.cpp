// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many lanes insert into one map, with keys that collide and keys already there: the map itself orders what
// it shares.
#include <Kokkos_Core.hpp>

#include <Kokkos_UnorderedMap.hpp>

#include <cstdlib>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 4000, keys = 1000;
  Kokkos::UnorderedMap<int, int> const map(2 * keys);
  Kokkos::parallel_for(
      "insert", n, KOKKOS_LAMBDA(int i) {
        map.insert(i % keys, 5 * (i % keys));
        if (!map.valid_at(map.find(i % keys))) Kokkos::abort("an inserted key is there");
      });
  int missing = 0;
  Kokkos::parallel_reduce(
      "find", keys,
      KOKKOS_LAMBDA(int i, int& sum) {
        auto const at = map.find(i);
        sum += map.valid_at(at) && map.value_at(at) == 5 * i ? 0 : 1;
      },
      missing);
  if (missing != 0 || map.size() != keys) std::abort();
}
// EXPECT-NONE
