// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Values that teams get back from an atomic under Kokkos' locks, whose function is not in line: the note names the line of the
// call, not one of Kokkos' headers.
// EXPECT-OUTPUT: got\s+values\s+back\s+from\s+atomics\s+they\s+share\s+\(\S*values_under_locks.cpp:17:\d+\)
#include <Kokkos_Core.hpp>

using Complex = Kokkos::complex<double>;
using Policy = Kokkos::TeamPolicy<>;

struct Last {
  Kokkos::View<Complex> latest;
  Kokkos::View<Complex*> before;
  KOKKOS_FUNCTION void operator()(Policy::member_type const& member) const {
    Complex (*volatile exchange)(Complex*, Complex) = Kokkos::atomic_exchange<Complex>;
    Kokkos::single(Kokkos::PerTeam(member), [&] {
      before(member.league_rank()) = exchange(&latest(), Complex(1, member.league_rank()));
    });
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<Complex> latest("latest");
  Kokkos::View<Complex*> before("before", 8);
  Kokkos::parallel_for("last", Policy(8, 32), Last{latest, before});
  Complex sum;
  Kokkos::deep_copy(sum, latest);
  return sum.real() == 1 ? 0 : 1;
}
