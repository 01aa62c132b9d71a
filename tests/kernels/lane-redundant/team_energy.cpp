// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the team has summed up together each of its threads adds. As a plain update it is a race; made atomic, 36 times the sum.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

template <class Input>
KOKKOS_FUNCTION void add_reduced(Member const& team, int n, Input const& input, double& result) {
  double sum = 0;
  Kokkos::parallel_reduce(Kokkos::TeamThreadRange(team, n), [&](int k, double& s) { s += input(k); }, sum);
  Kokkos::atomic_add(&result, sum);  // EXPECT: lane-redundant
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const columns = 16, levels = 72, threads = 36;
  Kokkos::View<double**> q("q", columns, levels);
  Kokkos::View<double*> energy("energy", columns);
  Kokkos::deep_copy(q, 1.0);
  Kokkos::parallel_for(
      "energy", Policy(columns, threads), KOKKOS_LAMBDA(Member const& team) {
        int const c = team.league_rank();
        add_reduced(team, levels, [&](int k) { return q(c, k); }, energy(c));
        add_reduced(team, levels, [&](int k) { return 0.5 * q(c, k); }, energy(c));
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), energy);
  return host(3) == 1.5 * levels * threads ? 0 : 1;
}
