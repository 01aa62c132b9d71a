// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Each iteration has two flags and a record of its own.
// OPTIONS: lane_order=descending
#include <Kokkos_Core.hpp>

struct Record {
  unsigned char bytes[24];
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 5;
  Kokkos::View<unsigned char*> state("state", 256);
  Record record{};
  record.bytes[3] = 7;
  Kokkos::parallel_for(
      "set", n, KOKKOS_LAMBDA(int i) {
        unsigned char* const flags = state.data();
        for (int next = 0; next < 2; ++next) flags[4 * i + 2 * next] = 5;
        *reinterpret_cast<Record*>(flags + 32 + 24 * i) = record;
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state);
  return host(18) == 5 && host(32 + 4 * 24 + 3) == 7 ? 0 : 1;
}
