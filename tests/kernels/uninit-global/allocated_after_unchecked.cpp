// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OPTIONS: kernel_name=read*
// What a launch writes that is not checked nobody sees: memory that was there counts as set. What is allocated behind it does
// not.
#include <Kokkos_Core.hpp>

using Values = Kokkos::View<double*>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 3000;
  Values set(Kokkos::view_alloc("set", Kokkos::WithoutInitializing), n);
  Kokkos::parallel_for("write", n, KOKKOS_LAMBDA(int i) { set(i) = i; });
  Values copy(Kokkos::view_alloc("copy", Kokkos::WithoutInitializing), n);
  Kokkos::deep_copy(copy, set);
  Values late(Kokkos::view_alloc("late", Kokkos::WithoutInitializing), n);
  double sum = 0;
  Kokkos::parallel_reduce(
      "read", n,
      KOKKOS_LAMBDA(int i, double& s) {
        s += set(i) + copy(i);
        s += late(i);  // EXPECT: uninit-global
      },
      sum);
  Kokkos::parallel_for(
      "read_by_teams", Kokkos::TeamPolicy<>(n / 100, 100), KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const& team) {
        int const i = team.league_rank() * 100 + team.team_rank();
        copy(i) += set(i);
      });
}
