// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A team reduces an array of numbers, of which each thread has its own: more than the scratch of a multiprocessor.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;

struct Histogram {
  using value_type = double[];
  unsigned value_count = 56;
  KOKKOS_FUNCTION void operator()(Member const& team, double sums[]) const { sums[team.team_rank() % 56] += 1; }
  KOKKOS_FUNCTION void init(double sums[]) const {
    for (unsigned i = 0; i < value_count; ++i) sums[i] = 0;
  }
  KOKKOS_FUNCTION void join(double sums[], double const other[]) const {
    for (unsigned i = 0; i < value_count; ++i) sums[i] += other[i];
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const threads = 64;
  Kokkos::View<double*, Kokkos::HostSpace> result("result", 56);
  Kokkos::parallel_reduce("histogram", Policy(20, threads), Histogram{}, result);
  Kokkos::fence();
}
