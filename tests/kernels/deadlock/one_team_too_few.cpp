// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: spin_limit=100000000
// All teams wait until one more has come than there are: more teams than run at a time elsewhere.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const league = 40;
  Kokkos::View<int> arrived("arrived");
  Kokkos::parallel_for(
      "grid", Policy(league, 1), KOKKOS_LAMBDA(Policy::member_type const&) {
        Kokkos::atomic_inc(&arrived());
        while (Kokkos::atomic_load(&arrived()) <= league) {  // EXPECT: deadlock
        }
      });
  Kokkos::fence();
}
