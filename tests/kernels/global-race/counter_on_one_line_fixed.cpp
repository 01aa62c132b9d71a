// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes of a team take numbers from a counter by an atomic.
// EXPECT-NONE
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64;
  Kokkos::View<int*> counts("counts", 2), out("out", n);
  Kokkos::parallel_for(
      "number", Policy(1, n), KOKKOS_LAMBDA(Member const& member) {
        Kokkos::parallel_for(Kokkos::TeamVectorRange(member, n), [&](int i) {
          out(i) = Kokkos::atomic_fetch_inc(&counts(0));
        });
      });
  Kokkos::fence();
}
