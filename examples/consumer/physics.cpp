// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "physics.hpp"

double total(Kokkos::View<double*> field) {
  using Policy = Kokkos::TeamPolicy<>;
  constexpr int cells = 128;
  int const n = field.extent_int(0);
  double result = 0;
  Kokkos::parallel_reduce(
      "total", Policy((n + cells - 1) / cells, Kokkos::AUTO),
      KOKKOS_LAMBDA(Policy::member_type const& team, double& sum) {
        int const first = team.league_rank() * cells, count = first + cells < n ? cells : n - first;
        double part = 0;
        Kokkos::parallel_reduce(
            Kokkos::TeamThreadRange(team, count), [&](int i, double& s) { s += field(first + i); }, part);
        Kokkos::single(Kokkos::PerTeam(team), [&] { sum += part; });
      },
      result);
  return result;
}
