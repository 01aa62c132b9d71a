// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomics whose functions are not in line, as in a build without optimisation: sums under Kokkos' locks, and a maximum that
// begins with a plain load. A plain store beside them is told with the line of the call, not with one of Kokkos' headers.
#include <Kokkos_Core.hpp>

using Complex = Kokkos::complex<double>;
using Policy = Kokkos::TeamPolicy<>;

struct Sums {
  Kokkos::View<Complex*> amplitude;
  KOKKOS_FUNCTION void operator()(int i) const {
    void (*volatile add)(Complex*, Complex) = Kokkos::atomic_add<Complex>;
    add(&amplitude(i % 8), Complex(1, i));  // EXPECT: global-race
    if (i == 77) amplitude(5) = Complex();  // EXPECT: global-race
  }
};

struct Peaks {
  Kokkos::View<double*> peak;
  KOKKOS_FUNCTION void operator()(Policy::member_type const& member) const {
    void (*volatile max)(double*, double) = Kokkos::atomic_max<double>;
    max(&peak(member.team_rank() % 8), 1.0 * member.team_rank());  // EXPECT: global-race
    if (member.team_rank() == 40) peak(3) = 0;                       // EXPECT: global-race
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::parallel_for("sums", 256, Sums{Kokkos::View<Complex*>("amplitude", 8)});
  Kokkos::parallel_for("peaks", Policy(1, 64), Peaks{Kokkos::View<double*>("peak", 8)});
  Kokkos::fence();
}
