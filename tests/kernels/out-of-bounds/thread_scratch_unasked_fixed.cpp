// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scratch of threads on level 1, of which the launch reserves what they take.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Space = Kokkos::DefaultExecutionSpace::scratch_memory_space;
using Row = Kokkos::View<float*, Space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 8;
  Kokkos::parallel_for(
      "rows", Policy(1, 16).set_scratch_size(1, Kokkos::PerThread(Row::shmem_size(n))), KOKKOS_LAMBDA(Member const& member) {
        Row row(member.thread_scratch(1), n);
        for (int i = n; i-- != 0;) row(i) = 0;
      });
  Kokkos::fence();
}
