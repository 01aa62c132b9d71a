// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One lane reads the count for its thread, which all lanes of the thread get, and wait for.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 16;
  Kokkos::View<int*> count("count", rows), before("before", rows);
  Kokkos::parallel_for(
      "fill", Policy(1, rows, 8), KOKKOS_LAMBDA(Member const& member) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, rows), [&](int row) {
          int was = 0;
          Kokkos::single(Kokkos::PerThread(member), [&](int& value) { value = count(row); }, was);
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, 32), [&](int i) {
            if (i % 3 == 0) Kokkos::atomic_inc(&count(row));
          });
          Kokkos::single(Kokkos::PerThread(member), [&] { before(row) = was; });
        });
      });
  Kokkos::fence();
}
