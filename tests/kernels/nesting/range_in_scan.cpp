// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A TeamThreadRange inside the body of a vector scan.
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
          Kokkos::parallel_for(
              Kokkos::TeamThreadRange(team, 1),  // the range is entered on the next line
              [&](int) { y(j) = update; });      // EXPECT-ANYWHERE: nesting
        });
      });
  Kokkos::fence();
}
