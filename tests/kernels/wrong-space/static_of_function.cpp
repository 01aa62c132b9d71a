// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A static variable of the kernel's own function: it is the host's, one lane computes it, and all others wait for that one.
#include <Kokkos_Core.hpp>

KOKKOS_FUNCTION double sum_of(Kokkos::View<double*> const& v) {
  double sum = 0;
  for (std::size_t k = v.size(); k != 0; --k) sum += v(k - 1);
  return sum;
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr int n = 20'000;
  Kokkos::View<double*> v("v", n), out("out", n);
  Kokkos::parallel_for(
      "scale", n, KOKKOS_LAMBDA(int i) {
        out(i) = 1;
        if (i < 5'000) return;
        static double const first = sum_of(v);  // EXPECT: wrong-space
        out(i) = first;  // EXPECT: wrong-space
      });
  Kokkos::fence();
}
