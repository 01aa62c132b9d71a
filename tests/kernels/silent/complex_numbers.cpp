// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Complex values travel through scratch in a butterfly exchange.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Complex = Kokkos::complex<double>;
using Values = Kokkos::View<Complex*, Policy::execution_space::scratch_memory_space, Kokkos::MemoryUnmanaged>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 64, league = 2;
  Kokkos::View<Complex**> x("x", league, n);
  Kokkos::deep_copy(x, Complex(1, 1));
  auto policy = Policy(league, n).set_scratch_size(0, Kokkos::PerTeam(Values::shmem_size(n)));
  Kokkos::parallel_for(
      "butterfly", policy, KOKKOS_LAMBDA(Policy::member_type const& team) {
        Values values(team.team_scratch(0), n);
        int const t = team.team_rank(), l = team.league_rank();
        values(t) = x(l, t);
        for (int bit = 1; bit < n; bit *= 2) {
          team.team_barrier();
          Complex const mine = values(t), other = values(t ^ bit);
          team.team_barrier();
          values(t) = t & bit ? other - mine : mine + other;
        }
        x(l, t) = values(t);
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  return host(1, 0) == Complex(n, n) && host(1, 1) == Complex(0, 0) ? 0 : 1;
}
