// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A floating-point sum outside single(PerThread) counts each row once for every vector lane.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const rows = 100, vector_length = 8;
  Kokkos::View<double*> weight("weight", rows);
  Kokkos::deep_copy(weight, 0.1);
  Kokkos::View<double> total("total");
  Kokkos::parallel_for(
      "total", Policy(4, 8, vector_length), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, rows), [&](int i) {
          Kokkos::atomic_add(&total(), weight(i));  // EXPECT: lane-redundant
        });
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), total);
  double const expected = 0.1 * 4 * rows;
  return host() > expected + 1 ? 0 : 1;
}
