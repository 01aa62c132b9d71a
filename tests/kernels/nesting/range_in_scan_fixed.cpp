// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// The body of the scan stores by itself.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 16;
  Kokkos::View<int*> y("y", n);
  Kokkos::parallel_for(
      "scan", Policy(1, 1, 4), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::parallel_scan(Kokkos::ThreadVectorRange(team, n), [&](int j, int& update, bool final_pass) {
          update += j;
          if (!final_pass) return;
          y(j) = update;
        });
      });
  Kokkos::fence();
}
