// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// NEEDS: the plug-in
// Equations of state are made on the host, in memory that both sides reach, and a kernel calls a virtual function of each.
// EXPECT-OUTPUT: a lane calls a virtual function of an object that the host made
// EXPECT-OUTPUT: address\s+of\s+the\s+host's\s+table\s+of\s+virtual\s+functions
// EXPECT-OUTPUT: make\s+the\s+object\s+in\s+a\s+kernel
#include <Kokkos_Core.hpp>

#include <new>

struct Equation {
  KOKKOS_FUNCTION virtual double pressure(double density) const = 0;
};
struct Ideal : Equation {
  double gamma;
  KOKKOS_FUNCTION explicit Ideal(double gamma_) : gamma(gamma_) {}
  KOKKOS_FUNCTION double pressure(double density) const override { return gamma * density; }
};
struct Stiff : Equation {
  double least;
  KOKKOS_FUNCTION explicit Stiff(double least_) : least(least_) {}
  KOKKOS_FUNCTION double pressure(double density) const override { return density + least; }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const n = 600;
  Kokkos::View<double*> p("p", n), rho("rho", n);
  Kokkos::deep_copy(rho, 2.0);
  auto* const ideal = static_cast<Ideal*>(Kokkos::kokkos_malloc<Kokkos::SharedSpace>("ideal", sizeof(Ideal)));
  auto* const stiff = static_cast<Stiff*>(Kokkos::kokkos_malloc<Kokkos::SharedSpace>("stiff", sizeof(Stiff)));
  new (ideal) Ideal(1.4);
  new (stiff) Stiff(0.5);
  Equation const *const first = ideal, *const second = stiff;
  Kokkos::parallel_for("add", n, KOKKOS_LAMBDA(int i) { rho(i) += 1; });
  Kokkos::parallel_for(
      "pressure", n, KOKKOS_LAMBDA(int i) {
        p(i) = first->pressure(rho(i));  // EXPECT: wrong-space
        Equation const& other = *second;
        p(i) += other.pressure(rho(i));  // EXPECT: wrong-space
      });
  Kokkos::fence();
  Kokkos::kokkos_free<Kokkos::SharedSpace>(ideal);
  Kokkos::kokkos_free<Kokkos::SharedSpace>(stiff);
}
