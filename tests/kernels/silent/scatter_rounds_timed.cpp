// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// Rounds of a ScatterView whose sums nobody wants but the last one's: a warm-up, and what is only timed. A View that is freed,
// and one that is filled again, after such a reset.
#include <Kokkos_Core.hpp>
#include <Kokkos_ScatterView.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const bins = 50, n = 2000;
  auto const add_up = [=](Kokkos::Experimental::ScatterView<double*> const& into) {
    Kokkos::parallel_for(
        "add", n, KOKKOS_LAMBDA(int i) {
          auto const add = into.access();
          add(i % bins) += 1;
        });
  };
  Kokkos::View<double*> sum("sum", bins);
  Kokkos::Experimental::ScatterView<double*> into_sum(sum);
  for (int round = 0; round < 3; ++round) {
    into_sum.reset();
    add_up(into_sum);
    Kokkos::Experimental::contribute(sum, into_sum);
  }
  double const last = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum)(3);
  add_up(into_sum);
  into_sum.reset();
  Kokkos::deep_copy(sum, 2.0);
  double const filled = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum)(3);
  {
    Kokkos::View<double*> once("once", bins);
    Kokkos::Experimental::ScatterView<double*> into_once(once);
    add_up(into_once);
    into_once.reset();
  }
  Kokkos::View<double*> next("next", bins);
  Kokkos::parallel_for("next", bins, KOKKOS_LAMBDA(int i) { next(i) += 1; });
  return last == n / bins && filled == 2 ? 0 : 1;
}
