// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shape of kokkos-kernels' TeamVectorSolveUTV (rank-deficient branch): gemv writes y by TeamThreadRange, then a
// single(PerTeam) permutes y, with no barrier between. m = 200 rows, 128 threads: wrong across warps on a real GPU.
#include <Kokkos_Core.hpp>
#include <cstdio>
int main() {
  Kokkos::ScopeGuard g;
  int const m = 200;
  Kokkos::View<double**, Kokkos::LayoutLeft> x("x", 2, m);
  Kokkos::parallel_for("solve_utv_min", Kokkos::TeamPolicy<>(2, 128, 1), KOKKOS_LAMBDA(Kokkos::TeamPolicy<>::member_type const& t) {
    int const k = t.league_rank();
    Kokkos::parallel_for(Kokkos::TeamVectorRange(t, m), [&](int i) { x(k, i) = 0; });
    t.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(t, m), [&](int i) {
      double s = 0;
      Kokkos::parallel_reduce(Kokkos::ThreadVectorRange(t, 4), [&](int j, double& u) { u += i + j; }, s);
      Kokkos::single(Kokkos::PerThread(t), [&] { x(k, i) += s; });
    });
    Kokkos::single(Kokkos::PerTeam(t), [&] {
      for (int i = m - 2; i >= 0; --i) { double const tmp = x(k, i); x(k, i) = x(k, i + 1); x(k, i + 1) = tmp; }
    });
  });
  auto h = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  std::printf("x(0,0) = %g (expected %g)\n", h(0, 0), 4. * (m - 1) + 6);
}
