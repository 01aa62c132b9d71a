// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT-NONE
// What lanes added is brought into the View.
#include <Kokkos_Core.hpp>
#include <Kokkos_ScatterView.hpp>

int main(int argc, char* argv[]) {
  using namespace Kokkos::Experimental;
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const bins = 4;
  Kokkos::View<double*> count("count", bins);
  {
    auto const scatter = create_scatter_view<ScatterSum, ScatterDuplicated>(count);
    Kokkos::parallel_for(
        "count", 1000, KOKKOS_LAMBDA(int i) {
          scatter.access()(i % bins) += 1;
        });
    scatter.contribute_into(count);
  }
  auto const on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), count);
  return on_host(1) < 0;
}
