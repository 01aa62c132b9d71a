// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The launch reserves what the Views take together. A View too many is asked about, and done without.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Space = Kokkos::DefaultExecutionSpace::scratch_memory_space;
using Table = Kokkos::View<double*, Space, Kokkos::MemoryUnmanaged>;
using Bins = Kokkos::View<int*, Space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 32;
  Kokkos::parallel_for(
      "bins", Policy(2, n).set_scratch_size(0, Kokkos::PerTeam(Table::shmem_size(n) + Bins::shmem_size(n))),
      KOKKOS_LAMBDA(Member const& member) {
        Table table(member.team_scratch(0), n);
        Bins bins(member.team_scratch(0), n);
        table(member.team_rank()) = 1;
        bins(member.team_rank()) = 0;
        Bins more(member.team_scratch(0), n);
        if (more.data() != nullptr) more(member.team_rank()) = 0;
      });
  Kokkos::fence();
}
