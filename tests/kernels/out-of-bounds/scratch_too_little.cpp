// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch reserves scratch for the table alone. The bins find no room: Kokkos hands out a null pointer.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Space = Kokkos::DefaultExecutionSpace::scratch_memory_space;
using Table = Kokkos::View<double*, Space, Kokkos::MemoryUnmanaged>;
using Bins = Kokkos::View<int*, Space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 32;
  // EXPECT-OUTPUT: asks\s+for\s+\d+\s+bytes\s+of\s+scratch\s+of\s+level\s+0;\s+the\s+launch\s+reserves\s+264\s+bytes\s+there
  // EXPECT-OUTPUT: earlier\s+Views\s+have\s+taken:\s+table\s+\(\d+\s+bytes
  // EXPECT-OUTPUT: bytes\s+or\s+more\s+at\s+the\s+launch,\s+\S+:1[89]
  // EXPECT-OUTPUT: bins: scratch level 0, element 0 of \d+ \(4 bytes each\), byte 0
  Kokkos::parallel_for(
      "bins", Policy(2, n).set_scratch_size(0, Kokkos::PerTeam(Table::shmem_size(n))), KOKKOS_LAMBDA(Member const& member) {
        Table table(member.team_scratch(0), n);
        Bins bins(member.team_scratch(0), n);  // EXPECT: out-of-bounds
        table(member.team_rank()) = 1;
        bins(member.team_rank()) = 0;
      });
  Kokkos::fence();
}
