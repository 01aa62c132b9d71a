// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A functor whose operator() is virtual, since it has a common base with others: a backend keeps it as what it is, and calls it
// directly; so does the functor where it says whose function it means.
#include <Kokkos_Core.hpp>

struct Step {
  KOKKOS_FUNCTION virtual void operator()(int i) const = 0;
  KOKKOS_FUNCTION virtual double factor() const { return 2; }
  KOKKOS_DEFAULTED_FUNCTION virtual ~Step() = default;
};
struct Scale : Step {
  Kokkos::View<double*> x;
  explicit Scale(Kokkos::View<double*> const& x_) : x(x_) {}
  KOKKOS_FUNCTION void operator()(int i) const override { x(i) = Scale::factor() * i; }
  KOKKOS_FUNCTION double factor() const override { return 3; }
};
struct Sum : Scale {
  using Scale::Scale;
  KOKKOS_FUNCTION void operator()(int i, double& sum) const { sum += x(i) - Scale::factor(); }
};
struct ByTeams : Scale {
  using Scale::Scale;
  using Member = Kokkos::TeamPolicy<>::member_type;
  KOKKOS_FUNCTION virtual void operator()(Member const& team) const { x(team.league_rank()) += team.team_rank() == 0 ? 1 : 0; }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 600;
  Kokkos::View<double*> x("x", n);
  Kokkos::parallel_for("scale", n, Scale(x));
  Kokkos::parallel_for("teams", Kokkos::TeamPolicy<>(n, 1), ByTeams(x));
  double sum = 0;
  Kokkos::parallel_reduce("sum", n, Sum(x), sum);
  return sum == 3.0 * n * (n - 1) / 2 + n - 3.0 * n ? 0 : 1;
}
