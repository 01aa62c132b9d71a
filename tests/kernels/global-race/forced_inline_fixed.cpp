// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Functors that the compiler must inline are seen as any others.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;

struct Histogram {
  Kokkos::View<int*> bins;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i) const {
    Kokkos::atomic_add(&bins(i % 4), 1);
  }
};

struct Shift {
  Kokkos::View<double*> x, y;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(Policy::member_type const& team) const {
    int const i = team.league_rank() * team.team_size() + team.team_rank();
    y(i) = x(i + 1) + 1;
  }
};

struct Largest {
  Kokkos::View<double*> x;
  Kokkos::View<int> at;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(int i, double& largest) const {
    if (x(i) > largest) {
      largest = x(i);
      Kokkos::atomic_store(&at(), i);
    }
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  Kokkos::parallel_for("histogram", 1000, Histogram{Kokkos::View<int*>("bins", 4)});
  Kokkos::View<double*> x("x", 513);
  Kokkos::parallel_for("shift", Policy(16, 32), Shift{x, Kokkos::View<double*>("y", 512)});
  double largest = 0;
  Kokkos::parallel_reduce("largest", 512, Largest{x, Kokkos::View<int>("at")}, Kokkos::Max<double>(largest));
  Kokkos::fence();
}
