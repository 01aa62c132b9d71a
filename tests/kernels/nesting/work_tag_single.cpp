// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel chosen by a work tag reduces over the team inside single(PerTeam).
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

struct Fill {};
struct Sum {};

struct Kernel {
  Kokkos::View<int*> y;

  KOKKOS_FUNCTION void operator()(Fill, Policy::member_type const& team) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 8), [&](int i) { y(i) = i; });
  }

  KOKKOS_FUNCTION void operator()(Sum, Policy::member_type const& team) const {
    int total = 0;
    Kokkos::single(Kokkos::PerTeam(team), [&]() {
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, 8), [&](int i, int& update) { update += y(i); }, total);
      y(0) = total;  // EXPECT-ANYWHERE: nesting
    });
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kernel const kernel{Kokkos::View<int*>("y", 8)};
  Kokkos::parallel_for("fill", Kokkos::TeamPolicy<Fill>(1, 8), kernel);
  Kokkos::parallel_for("sum", Kokkos::TeamPolicy<Sum>(1, 8), kernel);
  Kokkos::fence();
}
