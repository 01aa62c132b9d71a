// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each vector lane reads the count of its thread's row, then lanes count further by atomics: a lane that is late reads what
// others have counted.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 16;
  Kokkos::View<int*> count("count", rows), before("before", rows);
  // EXPECT-OUTPUT: let\s+one\s+lane\s+read\s+for\s+the\s+thread
  Kokkos::parallel_for(
      "fill", Policy(1, rows, 8), KOKKOS_LAMBDA(Member const& member) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, rows), [&](int row) {
          int const was = count(row);  // EXPECT: global-race unfenced-handover?
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, 32), [&](int i) {
            if (i % 3 == 0) Kokkos::atomic_inc(&count(row));  // EXPECT: global-race
          });
          Kokkos::single(Kokkos::PerThread(member), [&] { before(row) = was; });
        });
      });
  Kokkos::fence();
}
