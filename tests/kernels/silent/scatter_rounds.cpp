// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// A ScatterView is reset before each round, or after somebody has used what it added up.
#include <Kokkos_Core.hpp>
#include <Kokkos_ScatterView.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const bins = 50, n = 2000;
  Kokkos::View<double*> sum("sum", bins), mean("mean", bins);
  Kokkos::Experimental::ScatterView<double*> into_sum(sum);
  double total = 0;
  for (int round = 0; round < 3; ++round) {
    into_sum.reset();
    Kokkos::parallel_for(
        "add", n, KOKKOS_LAMBDA(int i) {
          auto const add = into_sum.access();
          add(i % bins) += i;
        });
    into_sum.contribute_into(sum);
    auto const on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), sum);
    total += on_host(3);
    into_sum.reset();
    Kokkos::parallel_for(
        "add again", n, KOKKOS_LAMBDA(int i) {
          auto const add = into_sum.access();
          add(i % bins) += 1;
        });
    into_sum.contribute_into(sum);
    Kokkos::parallel_for(
        "use", bins, KOKKOS_LAMBDA(int i) { mean(i) = sum(i) / bins; });
  }
  return total > 0 ? 0 : 1;
}
