// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each vector lane subtracts what its thread was to subtract once. An atomic would make four subtractions of it.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 8;
  Kokkos::View<double*> x("x", n);
  // EXPECT-OUTPUT: into\s+single\(PerThread\(member\),\s+\.\.\.\);\s+made\s+atomic\s+it\s+would\s+count\s+once
  Kokkos::parallel_for(
      "subtract", Policy(1, n, 4), KOKKOS_LAMBDA(Member const& member) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, n), [&](int i) {
          x(i) -= 1.0;  // EXPECT: global-race
        });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  return host(0) == -1 ? 1 : 0;
}
