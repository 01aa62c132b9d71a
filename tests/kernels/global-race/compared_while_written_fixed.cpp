// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// An array that the kernel was given is compared with the next item's; a second kernel changes these.
#include <Kokkos_Core.hpp>

#include <array>

using Key = std::array<int, 16>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const items = 4096;
  Kokkos::View<int*> numbers("numbers", 16 * (items + 1)), same("same", items);
  Key* const keys = reinterpret_cast<Key*>(numbers.data());
  Key const wanted{};
  Kokkos::parallel_for("compare", items, KOKKOS_LAMBDA(int i) {
    if (i < 600 || i > 700) return;
    same(i) = __builtin_memcmp(wanted.data(), keys[i + 1].data(), sizeof wanted) == 0;
  });
  Kokkos::parallel_for("change", items, KOKKOS_LAMBDA(int i) {
    if (i < 600 || i > 700) return;
    keys[i][3] = 5;
  });
  Kokkos::fence();
}
