// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each iteration sets its own flag and the next one's, and copies a record into one of three slots, which lie over the last
// flags. Lanes come from the last to the first. That a record meets a flag is told of no flags.
// OPTIONS: lane_order=descending
#include <Kokkos_Core.hpp>

struct Record {
  unsigned char bytes[24];
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5;
  Kokkos::View<unsigned char*> state("state", 64);
  Record record{};
  record.bytes[3] = 7;
  Kokkos::parallel_for(
      "set", n, KOKKOS_LAMBDA(int i) {
        unsigned char* const flags = state.data();
        for (int next = 0; next < 2; ++next) flags[2 * (i + next)] = 5;  // EXPECT: global-race
        *reinterpret_cast<Record*>(flags + 8 + 2 * (i % 3)) = record;    // EXPECT: global-race
      });
  Kokkos::fence();
}
