// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// 16-byte atomics have no instruction: Kokkos takes locks, and the bytes under them are touched by plain
// accesses.
#include <Kokkos_Core.hpp>

using Policy = Kokkos::TeamPolicy<>;
using Complex = Kokkos::complex<double>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const team_size = 32, league = 4;
  Kokkos::View<Complex*> sums("sums", 3);
  Kokkos::parallel_for(
      "sums", Policy(league, team_size), KOKKOS_LAMBDA(Policy::member_type const& team) {
        Kokkos::atomic_add(&sums(team.team_rank() % 3), Complex(1, -1));
      });
  auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sums);
  Complex const total = host(0) + host(1) + host(2);
  return total == Complex(team_size * league, -team_size * league) ? 0 : 1;
}
