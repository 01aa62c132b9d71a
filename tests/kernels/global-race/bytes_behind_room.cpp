// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks behind the first one touch bytes, of more words than there is room for beside a range's: what the first launch does
// not judge, as a note says, later ones do, team by team.
#include <Kokkos_Core.hpp>

#include <cstdint>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 600'000;
  Kokkos::View<std::uint8_t*> bytes("bytes", 4 * n + 4);
  for (int launch = 0; launch < 2; ++launch)
    Kokkos::parallel_for("mark", n, KOKKOS_LAMBDA(int i) {
      if (i < 256) return;
      bytes(4 * i) = 1;
      if (i < n - 100) return;
      bytes(4 * i + 4) = 2;  // EXPECT: global-race
    });
  Kokkos::fence();
}
// EXPECT-OUTPUT: later\s+ones\s+are\s+judged\s+team\s+by\s+team
