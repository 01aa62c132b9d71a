// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// reset() behind contribute_into: on a GPU the ScatterView has no copies, and clears the View itself.
#include <Kokkos_Core.hpp>
#include <Kokkos_ScatterView.hpp>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  int const bins = 100;
  Kokkos::View<double*> count("count", bins);
  Kokkos::Experimental::ScatterView<double*> scatter(count);
  Kokkos::parallel_for(
      "count", 10000, KOKKOS_LAMBDA(int i) {
        auto const add = scatter.access();
        add(i % bins) += 1;
      });
  scatter.contribute_into(count);
  scatter.reset();  // EXPECT: lost-contribution
  auto const on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), count);
  return on_host(1) < 0;
}
