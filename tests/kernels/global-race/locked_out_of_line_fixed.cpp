// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Atomics whose functions are not in line, as in a build without optimisation: sums under Kokkos' locks, and a maximum that
// begins with a plain load. The plain stores are kernels of their own.
#include <Kokkos_Core.hpp>

using Complex = Kokkos::complex<double>;
using Policy = Kokkos::TeamPolicy<>;

struct Sums {
  Kokkos::View<Complex*> amplitude;
  KOKKOS_FUNCTION void operator()(int i) const {
    void (*volatile add)(Complex*, Complex) = Kokkos::atomic_add<Complex>;
    add(&amplitude(i % 8), Complex(1, i));
  }
};

struct Peaks {
  Kokkos::View<double*> peak;
  KOKKOS_FUNCTION void operator()(Policy::member_type const& member) const {
    void (*volatile max)(double*, double) = Kokkos::atomic_max<double>;
    max(&peak(member.team_rank() % 8), 1.0 * member.team_rank());
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::View<Complex*> amplitude("amplitude", 8);
  Kokkos::View<double*> peak("peak", 8);
  Kokkos::parallel_for("sums", 256, Sums{amplitude});
  Kokkos::parallel_for("peaks", Policy(1, 64), Peaks{peak});
  Kokkos::parallel_for(
      "clear", 1, KOKKOS_LAMBDA(int) {
        amplitude(5) = Complex();
        peak(3) = 0;
      });
  Kokkos::fence();
}
